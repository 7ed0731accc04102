// The column is out of range, but the place lies in the matrix, in the next row.
int main(void)
{
    int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int total = 0;
    for (int j = 0; j <= 3; j++)
        total += matrix[0][j]; //~ memory.index
    return total;
}
