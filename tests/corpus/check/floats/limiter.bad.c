//@ property: unreach-call
//@ verdict: false
//@ engines: bmc-incremental
// An output follows its input by bounded steps, and gets beyond a bound that is too small.
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float output = 0.f;
    while (__VERIFIER_nondet_int()) {
        float input = __VERIFIER_nondet_float();
        __VERIFIER_assume(input >= -50.f && input <= 50.f);
        float step = input - output;
        if (step > 4.f)
            output = output + 4.f;
        else if (step < -4.f)
            output = output - 4.f;
        else
            output = input;
        if (!(output >= -9.f && output <= 9.f))
            reach_error();
    }
    return 0;
}
