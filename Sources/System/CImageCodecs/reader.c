#include "reader.h"

const picture_info *picture_reader_info(const picture_reader *reader) {
    return &reader->info;
}

codec_status picture_reader_start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    return reader->start(reader, eighths, width, height);
}

codec_status picture_reader_row(picture_reader *reader, uint8_t *row) {
    return reader->row(reader, row);
}

codec_status picture_reader_finish(picture_reader *reader) {
    return reader->finish(reader);
}

void picture_reader_close(picture_reader *reader) {
    reader->close(reader);
}
