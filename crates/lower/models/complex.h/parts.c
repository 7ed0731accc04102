/* Parts of complex numbers (C17 7.3.9). */

double creal(_Complex double z)
{
    return __real__ z;
}

double cimag(_Complex double z)
{
    return __imag__ z;
}

_Complex double conj(_Complex double z)
{
    return ~z;
}

float crealf(_Complex float z)
{
    return __real__ z;
}

float cimagf(_Complex float z)
{
    return __imag__ z;
}

_Complex float conjf(_Complex float z)
{
    return ~z;
}

long double creall(_Complex long double z)
{
    return __real__ z;
}

long double cimagl(_Complex long double z)
{
    return __imag__ z;
}

_Complex long double conjl(_Complex long double z)
{
    return ~z;
}
