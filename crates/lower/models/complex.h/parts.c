/* Parts of complex numbers (C17 7.3.9). */

REAL creal_R(_Complex REAL z)
{
    return __real__ z;
}

REAL cimag_R(_Complex REAL z)
{
    return __imag__ z;
}

_Complex REAL conj_R(_Complex REAL z)
{
    return ~z;
}
