// The texts of Focus, embedded when this is built: Swift's compiler takes long over such tables, and translators edit JSON.
#pragma once

// JSON in UTF-8, which is there as long as the program runs.
const char *_Nonnull focus_texts_en(void);
const char *_Nonnull focus_texts_de(void);
const char *_Nonnull focus_quips_en(void);
