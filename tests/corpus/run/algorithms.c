/* Small algorithms. */
int printf(const char*,...); void *calloc(unsigned long,unsigned long); void free(void*);
typedef struct tree { int key; struct tree *l,*r; } T;
T *ins(T*t,int k){ if(!t){t=calloc(1,sizeof*t); t->key=k; return t;} if(k<t->key) t->l=ins(t->l,k); else t->r=ins(t->r,k); return t; }
void walk(T*t){ if(t){walk(t->l); printf("%d ",t->key); walk(t->r);} } void del(T*t){ if(t){del(t->l);del(t->r);free(t);} }
static unsigned crc(const unsigned char*p,int n){ unsigned c=~0u; while(n--){ c^=*p++; for(int k=0;k<8;k++) c=c&1?(c>>1)^0xedb88320u:c>>1; } return ~c; }
int ack(int m,int n){ return m==0?n+1:n==0?ack(m-1,1):ack(m-1,ack(m,n-1)); }
static void perm(char*s,int k,int n){ if(k==n){printf("%s ",s);return;} for(int i=k;i<n;i++){char t=s[k];s[k]=s[i];s[i]=t; perm(s,k+1,n); t=s[k];s[k]=s[i];s[i]=t;} }
int sieve(int n){ char f[n+1]; for(int i=0;i<=n;i++)f[i]=1; int c=0; for(int i=2;i<=n;i++) if(f[i]){c++; for(int j=i*2;j<=n;j+=i)f[j]=0;} return c; }
long long modpow(long long b,long long e,long long m){ long long r=1; b%=m; while(e>0){ if(e&1) r=(__int128)r*b%m; b=(__int128)b*b%m; e>>=1;} return r; }
typedef int (*op)(int,int); int addf(int a,int b){return a+b;} int mulf(int a,int b){return a*b;} op pick(char c){ return c=='+'?addf:mulf; }
int fold(op f,int n,...){ __builtin_va_list ap; __builtin_va_start(ap,n); int r=__builtin_va_arg(ap,int); while(--n) r=f(r,__builtin_va_arg(ap,int)); __builtin_va_end(ap); return r; }
struct mat{ double a[2][2]; }; struct mat mul(struct mat x, struct mat y){ struct mat r={{{0}}}; for(int i=0;i<2;i++)for(int j=0;j<2;j++)for(int k=0;k<2;k++)r.a[i][j]+=x.a[i][k]*y.a[k][j]; return r; }
char *rev(char*s){ char*e=s; while(*e)e++; for(char*b=s;b<--e;b++){char t=*b;*b=*e;*e=t;} return s; }
enum color{RED,GREEN=5,BLUE}; const char*cn(enum color c){ switch(c){case RED:return"r";case GREEN:return"g";case BLUE:return"b";} return"?"; }
int bits(unsigned x){int n=0; for(;x;x&=x-1)n++; return n;}
int main(){ T*t=0; int ks[]={5,2,8,1,9,3}; for(int i=0;i<6;i++) t=ins(t,ks[i]); walk(t); del(t); printf("\n%x\n",crc((const unsigned char*)"123456789",9)); printf("%d\n",ack(2,3)); char p[]="abc"; perm(p,0,3); printf("\n%d\n",sieve(1000)); printf("%lld\n",modpow(123456789,987654321,1000000007)); printf("%d %d\n",fold(pick('+'),4,1,2,3,4),fold(pick('*'),4,1,2,3,4)); struct mat f={{{1,1},{1,0}}},r=f; for(int i=0;i<20;i++) r=mul(r,f); printf("%.0f\n",r.a[0][0]); char s[]="stressed"; printf("%s %s%s%s %d\n",rev(s),cn(RED),cn(BLUE),cn(3),bits(0xF0F0)); 
 int a=10,b=3; a^=b; b^=a; a^=b; printf("%d %d\n",a,b); int m=a-- - --b,n=a+++b; printf("%d %d %d\n",a>b?a:b,n,m); int i=5; i+=i*2; printf("%d\n", i>0);
 unsigned long long h=14695981039346656037ULL; for(const char*q="hash";*q;q++){h^=(unsigned char)*q;h*=1099511628211ULL;} printf("%llx\n",h);
 int v[10]; for(int i=0;i<10;i++)v[i]=(i*7+3)%10; for(int i=0;i<10;i++)for(int j=0;j+1<10-i;j++)if(v[j]>v[j+1]){int t=v[j];v[j]=v[j+1];v[j+1]=t;} for(int i=0;i<10;i++)printf("%d",v[i]); printf("\n"); return 0; }
