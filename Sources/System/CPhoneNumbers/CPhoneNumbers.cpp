#include "CPhoneNumbers.h"

#include <cstring>
#include <string>

#include <phonenumbers/phonenumberutil.h>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

static_assert(CPHONENUMBERS_FIXED_LINE == static_cast<int>(PhoneNumberUtil::FIXED_LINE), "type values");
static_assert(CPHONENUMBERS_PREMIUM_RATE == static_cast<int>(PhoneNumberUtil::PREMIUM_RATE), "type values");
static_assert(CPHONENUMBERS_VOICEMAIL == static_cast<int>(PhoneNumberUtil::VOICEMAIL), "type values");
static_assert(CPHONENUMBERS_UNKNOWN == static_cast<int>(PhoneNumberUtil::UNKNOWN), "type values");

namespace {

bool is_spelt_out(const char *text, size_t length) {
    if (length < 2 || length > CPHONENUMBERS_MAX_BYTES || text[0] != '+') return false;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
    }
    return true;
}

// Copies the whole text or nothing.
template <size_t size>
bool copy(const std::string &from, char (&to)[size]) {
    if (from.size() >= size) return false;
    std::memcpy(to, from.c_str(), from.size() + 1);
    return true;
}

// The number's region. For a number outside all known ranges GetRegionCodeForNumber finds none; the main region of its
// country code counts then.
std::string region(const PhoneNumberUtil &util, const PhoneNumber &number) {
    std::string code;
    util.GetRegionCodeForNumber(number, &code);
    if (code.empty() || code == "ZZ") util.GetRegionCodeForCountryCode(number.country_code(), &code);
    return code;
}

bool read(const char *text, size_t length, cphonenumbers_facts *facts) {
    const PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    PhoneNumber number;
    if (util.Parse(std::string(text, length), "ZZ", &number) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
    cphonenumbers_facts found = {};
    std::string e164;
    util.Format(number, PhoneNumberUtil::E164, &e164);
    if (!copy(e164, found.e164) || !copy(region(util, number), found.region)) return false;
    found.calling_code = number.country_code();
    found.type = static_cast<cphonenumbers_type>(util.GetNumberType(number));
    found.is_possible = util.IsPossibleNumberWithReason(number) == PhoneNumberUtil::IS_POSSIBLE;
    found.is_valid = util.IsValidNumber(number);
    *facts = found;
    return true;
}

}  // namespace

bool cphonenumbers_read(const char *text, size_t length, cphonenumbers_facts *facts) {
    if (text == nullptr || facts == nullptr || !is_spelt_out(text, length)) return false;
    try {
        return read(text, length, facts);
    } catch (...) {
        // Most likely out of memory. An exception must not reach Swift.
        return false;
    }
}

bool cphonenumbers_knows_region(const char *region) {
    if (region == nullptr) return false;
    try {
        return PhoneNumberUtil::GetInstance()->GetCountryCodeForRegion(region) != 0;
    } catch (...) {
        return false;
    }
}

bool cphonenumbers_knows_calling_code(int32_t calling_code) {
    try {
        std::string region;
        PhoneNumberUtil::GetInstance()->GetRegionCodeForCountryCode(calling_code, &region);
        return region != "ZZ";
    } catch (...) {
        return false;
    }
}
