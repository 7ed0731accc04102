//@ property: unreach-call
//@ verdict: true
//@ engines: dar imc ismc kind pdr portfolio
// A system of events, conditions and actions whose last state is never entered.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = 1, flag = 0;
    for (;;) {
        int event = __VERIFIER_nondet_int();
        if (state == 1 && event == 1) {
            state = 2;
            flag = 0;
        } else if (state == 2 && event == 2) {
            state = 3;
        } else if (state == 3 && event == 1) {
            state = 1;
            flag = 0;
        } else if (state == 3 && flag == 1) {
            state = 4;
        }
        if (state == 4)
            reach_error();
    }
}
