//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental dar imc ismc kind pdr portfolio
// What nobody has written decides: a variable, an element and a member.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pair {
    int first, second;
};

int sum(int start) {
    int local;
    return local + start;
}

int main(void) {
    int table[4];
    struct pair pair;
    int rounds = 0;
    while (__VERIFIER_nondet_int()) {
        rounds++;
        if (rounds == 2 && table[3] == 42 && pair.second == -7 && sum(rounds) == 12345)
            reach_error();
    }
    return 0;
}
