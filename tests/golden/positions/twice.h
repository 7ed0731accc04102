/* A header with a mistake in a macro's use. */
#define TWICE(x) (2 * (x))
static inline int in_header(void) { return TWICE(nothing); }
