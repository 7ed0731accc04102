/* Many small features together. */
int printf(const char*,...); void abort(void);
typedef __typeof__(sizeof 0) size_t;
void *memcpy(void*,const void*,size_t); int memcmp(const void*,const void*,size_t); void *malloc(size_t);
/* struct passing sizes */
struct s1 {char c[1];}; struct s3 {char c[3];}; struct s7{char c[7];}; struct s17{char c[17];}; struct sf{float f[3];}; struct sd{double d; char c;};
struct s3 f3(struct s3 a, int k){ a.c[k]+=1; return a; }
struct s17 f17(struct s17 a, struct s7 b, struct s1 c){ a.c[16]=b.c[6]+c.c[0]; return a; }
struct sf ff(struct sf a,double m){ for(int i=0;i<3;i++) a.f[i]*=m; return a;}
int vs(int n,...){ __builtin_va_list ap; __builtin_va_start(ap,n); int t=0; for(int i=0;i<n;i++){ struct s3 x=__builtin_va_arg(ap,struct s3); struct s17 y=__builtin_va_arg(ap,struct s17); double d=__builtin_va_arg(ap,double); t+=x.c[1]+y.c[16]+(int)d; } __builtin_va_end(ap); return t; }
/* unusual declarators */
int (*(*fpp(int x))(int))[3];
int arr3[3]={7,8,9}; int (*inner(int i))[3]{ return &arr3; }
int (*(*fpp(int x))(int))[3]{ return inner; }
typedef int fn(int); fn add1, *pf=add1; int add1(int x){return x+1;}
fn *tab[]={add1,&add1,*add1};
/* bitfields */
struct bb { unsigned a:1; signed b:1; unsigned long long c:37; int d:17; char e:5; _Bool f:1; enum {X,Y,Z} g:2; } b1={1,-1,0x1234567890ULL,-5,7,1,Z};
union ub { struct { unsigned lo:4, hi:4; } n; unsigned char b; };
struct bb ret(struct bb x){ x.c++; x.e=x.e*2; return x; }
/* globals */
extern int ext; int ext=3; static int st; int tent; int tent; extern int later[]; int later[3]={1,2,3};
const char *const names[]={"a","bb","ccc"};
struct list{int v; struct list*n;} l3={3,0},l2={2,&l3},l1={1,&l2};
static int sum(struct list*l){ return l? l->v+sum(l->n):0; }
int side(int*p){ return (*p)++; }
unsigned char uc=255; signed char sc=-128; unsigned short us=65535;
int main(void){
 struct s3 a={{1,2,3}}; a=f3(f3(a,0),2); printf("%d %d %d\n",a.c[0],a.c[1],a.c[2]);
 struct s17 q={{0}}; struct s7 w={{1,2,3,4,5,6,7}}; struct s1 z={{9}}; printf("%d\n", f17(q,w,z).c[16]);
 struct sf g={{1,2,3}}; printf("%g\n", ff(g,1.5).f[2]);
 q.c[16]=5; printf("%d\n", vs(2,a,q,1.5,a,q,2.5));
 printf("%d\n", (*fpp(1)(2))[1]); printf("%d %d %d\n", tab[0](1),tab[1](2),(*tab[2])(3));
 printf("%d %d %llx %d %d %d %d\n", b1.a,b1.b,(unsigned long long)b1.c,b1.d,b1.e,b1.f,b1.g);
 struct bb b2=ret(b1); printf("%llx %d %d\n",(unsigned long long)b2.c,b2.e,b2.g==Z);
 b2.a+=3; b2.b++; b2.d*=14; b2.c=-1; b2.f=b2.c; printf("%d %d %d %llx %d\n",b2.a,b2.b,b2.d,(unsigned long long)b2.c,b2.f);
 printf("%d\n",(b2.a-2)<0);
 union ub u; u.b=0xa5; printf("%d %d\n",u.n.lo,u.n.hi); u.n.hi=3; printf("%x\n",u.b);
 printf("%d %d %d %d %s\n", ext,st,tent,later[2],names[2]); printf("%d\n",sum(&l1));
 int i=0, arr[5]={0}; arr[side(&i)]=side(&i)+10; printf("%d %d %d\n",i,arr[0],arr[1]);
 printf("%d %d %d\n", uc+1, sc-1, us>0); uc++; sc--; us+=2; printf("%d %d %d\n",uc,sc,us);
 printf("%d\n", (int)(char)0x80 >> 1); printf("%u\n", (unsigned)(unsigned char)-1 << 24);
 long long m=-1; printf("%llu %lld\n",(unsigned long long)m>>1, m>>1); unsigned k=5; printf("%u %d\n", -k/2, (int)-k/2);
 printf("%d %d\n", 5%-3, -5%3); printf("%d\n", (1,2,3)); int c=0; c = c++ || c++; printf("%d\n",c);
 int x=1; x = x<<4|x<<2^x&3; printf("%d\n",x); { int x=2; { extern int ext; printf("%d %d\n",x,ext);} }
 char buf[8]="abc"; char *e=buf; while(*e) e++; printf("%ld\n",(long)(e-buf)); *--e='X'; printf("%s\n",buf);
 int mat[3][3]; for(int r=0;r<3;r++)for(int cc=0;cc<3;cc++)mat[r][cc]=r*3+cc; int *fl=mat[0]; int t=0; for(int n=0;n<9;n++)t+=fl[n]*(n%2?-1:1); printf("%d\n",t);
 double dd[2]={1e308,1e308}; printf("%g %d\n",dd[0]+dd[1], dd[0]*10>1e308); float fl2=1e-45f; printf("%g %g\n",fl2/2,fl2*2);
 long double ld=1; for(int n=1;n<25;n++) ld*=n; printf("%.0Lf\n",ld); printf("%d\n",(int)(0.1+0.2==0.3)); printf("%.1f %.1f\n",(float)0x7fffffff,(double)0x7fffffffffffffffLL);
 printf("%lld %lld\n",(long long)1e18f,(long long)-0.99); printf("%u\n",(unsigned)4294967295.0); 
 void *vp=&x; printf("%d\n",*(int*)vp==x); printf("%d\n", sizeof(struct bb)==sizeof b1);
 for(int n=0;n<3;n++){ static int cnt; int *pp=&cnt; (*pp)+=n; if(n==2) printf("%d\n",cnt);} 
 goto L; { int hid; L: hid=4; printf("%d\n",hid);} 
 do { if(x) break; } while(0); for(;;){ if(x++>200) break; else continue; } printf("%d\n",x);
 int *np=0; printf("%d %d\n", np==0, !np); printf("%d\n", np?*np:-1);
 unsigned char bytes[4]={0x78,0x56,0x34,0x12}; unsigned val; memcpy(&val,bytes,4); printf("%x\n",val);
 short sarr[]={1,2,3}; printf("%d\n",(int)(sizeof sarr/sizeof*sarr)); printf("%c%c\n","xyz"[1],*("abc"+2));
 return 0; }
