-- Streaks of days before this one were forgotten, so that a job that was away for long begins where it stopped.
-- Written by Sources/Features/Focus/Jobs.
CREATE TABLE focus_forgotten (
    the_only       boolean PRIMARY KEY DEFAULT true CHECK (the_only),
    streaks_before date NOT NULL
);
