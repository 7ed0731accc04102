// Every request is answered: `vergo check --spec examples/arbiter.ltl examples/arbiter.c` proves it.
// Without line 17 the arbiter may serve the first one for ever: the answer is a lasso.
extern int __VERIFIER_nondet_int(void);

int request[2], grant;

static void ask(int who) {
    if (__VERIFIER_nondet_int())
        request[who] = 1;
}

int main(void) {
    int turn = 0;
    while (1) {
        ask(0);
        ask(1);
        turn = 1 - turn;
        if (request[turn]) {
            grant = turn + 1;
            request[turn] = 0;
            grant = 0;
        }
    }
}
