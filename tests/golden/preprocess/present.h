#define PRESENT 1
