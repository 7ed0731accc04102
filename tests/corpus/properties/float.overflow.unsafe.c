// The length of a vector, without scaling: the square is too large although the length is not.
double square_of_length(double x, double y)
{
    return x * x + y * y; //~ float.overflow
}

int main(void)
{
    return square_of_length(3.0, 4.0) == 25.0 ? square_of_length(1e200, 1e200) > 0.0 : 1;
}
