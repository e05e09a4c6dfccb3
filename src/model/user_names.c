#include "model/user_names.h"

static const char *const USUAL_NAMES[USER_FIELD_COUNT] = {
    [USER_FIRST] = "namefirst first firstname givenname forename",
    [USER_LAST] = "namelast last lastname surname familyname",
    [USER_STREET] = "addressaddressline1 addressline1 address1 address street streetaddress line1",
    [USER_LOCALITY] = "addresslocality locality city town posttown",
    [USER_AREA] = "addressadministrativearea administrativearea area state province region county prefecture",
    [USER_POSTAL] = "addresspostalcode postalcode postcode zip zipcode",
    [USER_COUNTRY] = "addresscountry country countrycode",
    [USER_EMAIL] = "email emailaddress mail",
    [USER_BIRTH] = "dateofbirth dob birthdate birthday born",
    [USER_ID_TYPE] = "governmentidtype idtype",
    [USER_ID_LAST4] = "governmentidlast4 last4 idlast4 idlastfour",
    [USER_ID_STATE] = "governmentidstate idstate",
    [USER_PHONE] = "phonenumber phone telephone tel mobile",
    [USER_TAG] = "tag reference externalid customerid",
    [USER_VERIFIED] = "identityverified verified",
};

const char *const *user_usual_names(void) {
    return USUAL_NAMES;
}
