/* Magnitude and angle of complex numbers (C17 7.3.8.1, 7.3.9.1). */

extern double hypot(double, double), atan2(double, double);
extern float hypotf(float, float), atan2f(float, float);
extern long double hypotl(long double, long double), atan2l(long double, long double);

double cabs(_Complex double z)
{
    return hypot(__real__ z, __imag__ z);
}

float cabsf(_Complex float z)
{
    return hypotf(__real__ z, __imag__ z);
}

long double cabsl(_Complex long double z)
{
    return hypotl(__real__ z, __imag__ z);
}

double carg(_Complex double z)
{
    return atan2(__imag__ z, __real__ z);
}

float cargf(_Complex float z)
{
    return atan2f(__imag__ z, __real__ z);
}

long double cargl(_Complex long double z)
{
    return atan2l(__imag__ z, __real__ z);
}
