/* How often the variable TZ, which says what local time is, has been changed. */

unsigned __vergo_zone_changes;
