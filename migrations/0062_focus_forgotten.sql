-- Streaks of days before this one were forgotten, so that a job that was away for long begins where it stopped.
-- Written by Sources/Features/Focus/Jobs.
CREATE TABLE focus_forgotten (
    only_row       boolean PRIMARY KEY DEFAULT true CONSTRAINT focus_forgotten_only_row CHECK (only_row),
    streaks_before date NOT NULL
);
