//@ property: unreach-call
//@ verdict: true
//@ engines: kind
// An output follows its input by bounded steps, and so never gets far beyond what the input can be.
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
        if (!(output >= -51.f && output <= 51.f))
            reach_error();
    }
    return 0;
}
