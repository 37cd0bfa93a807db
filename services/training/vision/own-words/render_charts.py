"""Draws 700 charts of twelve kinds in the styles of matplotlib.

Run:  python render_charts.py DIR/chart   (needs matplotlib)
"""
import numpy as np, random, sys
import matplotlib; matplotlib.use('Agg'); import matplotlib.pyplot as plt
from matplotlib import cm
random.seed(7); rng=np.random.default_rng(7)
WORDS='Sales Revenue Users Visits Growth Costs Region Quarter Temperature Rainfall Votes Share Profit Month Year Price Index Traffic Orders Returns Population Energy Budget Score Accuracy Loss Time Speed'.split()
MON='Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()
styles=[s for s in plt.style.available if not s.startswith('_')]
fonts=['DejaVu Sans','DejaVu Serif','DejaVu Sans Mono']
for i in range(700):
    with plt.style.context(random.choice(styles+['default']*6)):
        plt.rcParams['font.family']=random.choice(fonts); plt.rcParams['font.size']=random.choice([8,9,10,12,14,16])
        fig,ax=plt.subplots(figsize=(random.uniform(3.5,9),random.uniform(3,6)),dpi=70)
        k=random.choice(['bar','barh','line','line','pie','scatter','area','hist','stack','box','heat','multi'])
        n=random.randint(3,12); lab=random.choice([MON[:n],[str(2026-n+j) for j in range(n)],random.sample(WORDS,n)])
        v=rng.gamma(2,random.choice([1,20,300]),n); col=random.choice([None,'tab:blue','steelblue','crimson','#2a9d8f','#e76f51','gray'])
        try:
            if k=='bar': ax.bar(lab,v,color=col); 
            elif k=='barh': ax.barh(lab,v,color=col)
            elif k=='line':
                for s in range(random.randint(1,4)): ax.plot(range(40),np.cumsum(rng.normal(.2,1,40)),label=random.choice(WORDS),lw=random.choice([1,2,3]))
            elif k=='pie': ax.pie(v,labels=lab if random.random()<.7 else None,autopct='%1.0f%%' if random.random()<.5 else None,wedgeprops={'width':.4} if random.random()<.3 else None)
            elif k=='scatter': ax.scatter(rng.normal(0,1,150),rng.normal(0,1,150),c=rng.random(150) if random.random()<.5 else col,s=random.choice([8,20,40]))
            elif k=='area': ax.fill_between(range(30),np.abs(np.cumsum(rng.normal(0,1,30))),alpha=.6)
            elif k=='hist': ax.hist(rng.normal(0,1,500),bins=random.choice([10,20,40]),color=col)
            elif k=='stack':
                b=np.zeros(n)
                for s in range(3): w=rng.gamma(2,10,n); ax.bar(lab,w,bottom=b,label=random.choice(WORDS)); b+=w
            elif k=='box': ax.boxplot([rng.normal(m,1,60) for m in range(random.randint(3,8))])
            elif k=='heat': fig.colorbar(ax.imshow(rng.random((random.randint(4,12),random.randint(4,12))),cmap=random.choice(['viridis','Blues','coolwarm'])))
            else:
                w=.4; ax.bar(np.arange(n)-w/2,v,w,label=random.choice(WORDS)); ax.bar(np.arange(n)+w/2,v[::-1],w,label=random.choice(WORDS)); ax.set_xticks(np.arange(n)); ax.set_xticklabels(lab)
            if random.random()<.7: ax.set_title(' '.join(random.sample(WORDS,random.randint(1,3))),fontsize=random.choice([10,14,18]))
            if random.random()<.4 and k!='pie': ax.set_xlabel(random.choice(WORDS)); ax.set_ylabel(random.choice(WORDS))
            if random.random()<.4: ax.grid(True)
            if k in('line','stack','multi') and random.random()<.7: ax.legend()
            if random.random()<.3: [ax.spines[s].set_visible(False) for s in('top','right')]
            if len(lab[0])>3 and k=='bar': plt.setp(ax.get_xticklabels(),rotation=random.choice([0,45,90]))
            if random.random()<.7: fig.tight_layout()
            fig.savefig(f'{sys.argv[1]}/mpl{i}.png')
        except Exception as e: pass
        plt.close(fig)
