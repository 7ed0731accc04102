/* Magnitude and angle of complex numbers (C17 7.3.8.1, 7.3.9.1). */

extern REAL hypot_R(REAL, REAL), atan2_R(REAL, REAL);

REAL cabs_R(_Complex REAL z)
{
    return hypot_R(__real__ z, __imag__ z);
}

REAL carg_R(_Complex REAL z)
{
    return atan2_R(__imag__ z, __real__ z);
}
