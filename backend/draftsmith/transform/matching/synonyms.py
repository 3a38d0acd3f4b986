"""Ordinary words that mean the same, and terms that never do.

A row holds words of one meaning, in any inflection. Those of `_PLAIN_ROWS` name nothing: one for another is a
paraphrase even where the document has both. Those of `_TERM_ROWS` may name something, so there a document that has both
tells them apart. Two different words of `_TERMS` are different things, unless a row holds both. Words that exclude one
another are in `contrasts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

_PLAIN_ROWS = """
abandon,forsake about,regarding,concerning absolutely,totally,completely abundant,plentiful accelerate,speed,hasten
accomplish,achieve,attain,fulfill,fulfil accordingly,correspondingly accurate,precise,exact
accurately,precisely,exactly additional,further,extra,more additionally,moreover,furthermore,also adhere,stick,conform
adjust,adapt,tune,tweak aggregate,combine aim,purpose,goal,objective,intention,intent almost,nearly,practically
although,though amount,quantity,volume amplify,magnify annoying,irritating anticipate,expect,foresee appreciate,value
approach,method,technique,way,strategy approximately,roughly,about,around arbitrary,random area,domain,field,region
arise,emerge,occur aspect,facet,side assess,evaluate,judge,gauge assume,presume,suppose assumption,premise,presumption
attempt,try,effort,endeavor,endeavour attractive,appealing avoid,circumvent,evade,sidestep aware,conscious
basic,fundamental,elementary,essential basically,essentially,fundamentally basis,foundation,ground,base because,since
begin,start,commence,begun,began beginning,start,outset behave,act behavior,behaviour,conduct
beneficial,useful,helpful,advantageous benefit,advantage,merit,gain better,superior bottleneck,constraint
breadth,width,scope bring,carry broken,faulty,defective build,built,construct,create,make,assemble
burden,load,overhead calculate,compute,work calculation,computation call,invoke cancel,abort
capability,ability,feature,capacity careful,cautious carefully,cautiously category,class,kind,type,sort,group
cause,trigger,provoke,induce,lead,produce cautious,conservative certain,sure,particular,specific,definite
certainly,surely,definitely,indeed change,modify,alter,modification,alteration cheap,inexpensive
check,verify,validate,inspect,examine choice,option,selection,alternative choose,chose,chosen,select,pick,opt
clear,obvious,evident,apparent,plain coherent,consistent collaborate,cooperate,work
common,usual,frequent,widespread,typical,ordinary commonly,usually,frequently,typically,often compact,concise
compare,contrast compel,force competent,capable complete,entire,whole,full,total
complete,finish,conclude,finalize,finalise completely,entirely,fully,wholly,totally,thoroughly
complex,complicated,intricate,elaborate complexity,intricacy compose,form comprehend,understand,understood,grasp,grok
comprehensive,complete,thorough,exhaustive,full comprise,include,contain,encompass,consist
compulsory,mandatory,required,obligatory concern,worry,issue concise,brief,short,succinct
conclude,end,finish,infer,deduce conclusion,end,result concrete,specific,tangible conduct,perform,carry,run
conform,comply,adhere confuse,confusing,bewilder,muddle connect,link,join,attach
consequently,therefore,thus,hence,accordingly consider,contemplate,regard,think,view,examine
considerable,substantial,significant,large considerably,significantly,substantially,much,greatly
constantly,continuously,continually,always constraint,restriction,limitation,limit construct,build,create,make,form
construction,creation contain,hold,held,include,comprise contemporary,modern,current continue,proceed,carry
continuous,uninterrupted,steady,constant contribute,add convenient,handy,comfortable,easy
conventional,traditional,usual,standard conversely,inversely convert,transform,translate,turn,change
coordinate,orchestrate correct,fix,repair,rectify correct,right,proper,accurate correctly,properly,rightly,accurately
cost,expense,price cover,address,treat,span create,make,made,produce,generate,build,form,establish
cumbersome,awkward,clumsy,unwieldy current,present,prevailing,existing currently,presently,now custom,bespoke
damage,harm,hurt danger,risk,hazard,peril dangerous,risky,hazardous deal,cope,handle
debate,discuss,discussion,argument decide,determine,choose,resolve decision,choice,resolution,determination
declare,state,announce,define deem,consider,regard defect,fault,flaw,bug deficiency,shortcoming,lack
define,specify,describe,determine,set definition,specification degrade,worsen,deteriorate delay,postpone,defer
deliberate,intentional deliberately,intentionally,purposely deliver,provide,supply,bring
demonstrate,show,prove,illustrate,exhibit,display denote,represent,mean,signify,indicate depend,rely,rest,hinge
depict,describe,portray,represent,illustrate,show derive,obtain,deduce,infer
describe,explain,outline,depict,portray,characterize,characterise description,explanation,account
desirable,wanted,preferable desired,wanted,intended detailed,thorough,elaborate,exhaustive
details,particulars,specifics detect,discover,notice,spot,recognize,recognise,find,identify
determine,decide,establish,ascertain,find,identify develop,create,build,evolve development,evolution,progress
deviate,diverge,differ deviation,divergence differ,vary,deviate difference,distinction,discrepancy,disparity
different,distinct,various,diverse difficult,hard,tricky,tough,challenging,demanding
difficulty,challenge,problem,trouble,hardship directly,straight,immediately
disadvantage,drawback,downside,shortcoming,con disappear,vanish discard,drop,dismiss discover,find,detect,uncover
discrepancy,difference,mismatch discuss,debate,mention,consider,talk,cover discussion,debate,conversation,dialogue
dismiss,reject,discard display,show,present,exhibit dispose,discard distant,remote distinct,different,separate,unique
distinguish,differentiate,discern,separate distribute,spread,share diverse,various,varied,different
divide,split,separate,partition,segment dominant,prevailing,predominant doubt,question
drastically,radically,dramatically drawback,disadvantage,downside,shortcoming,weakness drive,motivate,propel,push
drop,discard,omit due,owing duplicate,copy,replicate duration,length,period easily,readily,simply,effortlessly
easy,simple,straightforward,effortless effect,impact,result,consequence,influence effective,efficient,successful
effectively,efficiently effort,work,exertion,endeavor,labor,labour elaborate,detailed,intricate elegant,graceful
eliminate,remove,eradicate,avoid emerge,appear,arise,surface emit,produce,generate,issue
emphasize,emphasise,stress,highlight,underline encompass,include,cover,embrace encounter,meet,met,face,experience,see
encourage,foster,promote,motivate end,finish,conclude,terminate,conclusion enforce,impose,mandate engage,involve
enhance,improve,boost,strengthen ensure,guarantee,assure,secure entail,involve,imply,require,mean
enumerate,list,itemize equal,identical,same equip,furnish,outfit equivalent,equal,identical error,mistake,fault
especially,particularly,notably,specifically essential,necessary,crucial,vital,fundamental,indispensable,important
establish,create,found,set,build,determine estimate,approximate,guess,gauge evaluate,assess,judge,appraise,rate
evaluation,assessment evolve,develop,grow,change examine,inspect,study,investigate,check,analyze,analyse,review
example,instance,illustration,sample exceed,surpass,outstrip excellent,outstanding,superb excessive,undue
execute,perform,run,carry existing,present,current,available expand,extend,enlarge,grow,broaden
expect,anticipate,await expected,anticipated,predicted expensive,costly,pricey,dear experience,encounter,undergo
explain,clarify,describe,elucidate,illustrate explanation,description,clarification explicit,clear,express
explicitly,expressly,clearly expose,reveal,show,present,offer express,state,voice
extend,expand,lengthen,prolong,broaden extensive,broad,wide,comprehensive,vast extract,derive,pull
extremely,very,highly,exceedingly facilitate,ease,simplify,enable,help fact,reality factor,element,aspect
failure,breakdown fair,just,equitable fairly,quite,reasonably familiar,known,acquainted
fast,quick,rapid,swift,quickly,rapidly favor,favour,prefer,support feasible,possible,practicable,viable,achievable
feature,capability,functionality,characteristic fill,populate,occupy final,last,ultimate,eventual
finally,lastly,eventually,ultimately find,found,locate,discover,detect finish,complete,end,conclude,finalize
fit,suit,match fix,repair,correct,mend,resolve flaw,defect,fault,weakness flexible,adaptable,versatile
focus,concentrate,center follow,obey,observe,adhere,track form,create,shape,constitute fortunate,lucky
fragile,brittle,delicate free,release frequent,common,regular frequently,often,regularly,repeatedly
fulfil,fulfill,satisfy,meet,achieve function,operate,work,role fundamental,basic,essential,underlying,core
furthermore,moreover,additionally,besides future,upcoming,coming gain,obtain,acquire,benefit gap,hole
gather,collect,accumulate,assemble,compile general,overall,common,generic,broad
generally,usually,commonly,typically,broadly generation,creation,production genuine,real,authentic
get,got,obtain,receive,acquire,retrieve,fetch,become give,gave,given,provide,supply,offer,grant
global,overall,worldwide goal,aim,objective,target,purpose good,fine,decent gradually,progressively,incrementally
great,large,big,excellent ground,reason,basis grow,grew,grown,increase,expand guarantee,ensure,assure,promise
guess,estimate,suppose guidance,advice,direction guide,direct,lead,steer guideline,recommendation,rule
hamper,hinder,impede,obstruct handle,manage,process,treat,deal handy,convenient,useful heavily,strongly,greatly
heavy,weighty heterogeneous,diverse,mixed hide,conceal,mask hierarchy,ranking high,elevated hint,clue,suggestion
hold,keep,contain,retain however,nevertheless,nonetheless huge,enormous,large,immense,massive,vast
idea,notion,concept,thought ideal,perfect identify,recognize,recognise,determine,detect,find ignore,disregard,neglect
illustrate,show,demonstrate,explain,depict imagine,envision,picture immediate,instant,prompt
immediately,instantly,promptly,directly,straightaway impact,effect,influence,consequence,affect
imperative,essential,crucial implement,realize,realise,build,execute implementation,realization,realisation
implication,consequence imply,suggest,mean,indicate,entail importance,significance,relevance
important,significant,crucial,key,essential,vital,critical impression,feeling improve,enhance,better,refine,boost
improvement,enhancement,refinement,gain inappropriate,unsuitable,improper incentive,motivation,stimulus
include,contain,comprise,encompass,involve,incorporate including,containing incorporate,include,integrate,embed
increase,raise,grow,boost,rise incredibly,extremely,very incremental,gradual,stepwise indeed,certainly,truly
indicate,show,suggest,signal,denote,signify,imply indication,sign,hint individual,separate,particular
individually,separately,singly inefficient,wasteful inevitable,unavoidable infer,deduce,conclude,derive
inform,notify,tell,told,advise,alert information,facts,details,data infrequently,rarely,seldom
inherent,intrinsic,innate inherently,intrinsically initial,original,starting initially,originally
initiate,start,begin,launch,trigger inquire,ask insert,put,place insight,understanding instance,example,case
instant,moment instantaneous,immediate insufficient,inadequate,lacking intact,unbroken integral,essential
integrate,incorporate,combine,merge intend,plan,aim,mean intended,planned,meant,desired intensive,demanding,heavy
interact,communicate interesting,intriguing introduce,present,add,bring introduction,presentation intuitive,natural
investigate,examine,explore,study,research investigation,study,examination involve,entail,include,require,concern
irrelevant,unrelated issue,problem,matter,concern,difficulty item,element,thing,entry iterate,loop job,work,chore
join,connect,combine,unite,merge justify,warrant,explain keep,kept,retain,maintain,preserve,hold,store
key,crucial,main,important,central know,understand known,familiar,recognized,recognised lack,absence,shortage,miss
large,big,huge,sizable,sizeable,great last,final,latest lay,put,place lead,led,cause,result,guide lean,slim
learn,discover leave,left,depart legible,readable legitimate,valid,lawful leverage,use,utilize,exploit
lightweight,light likely,probable,probably limit,restrict,constrain,bound,cap
limitation,restriction,constraint,drawback link,connect,tie,relate locate,find,discover,position
location,place,position,spot,site long,lengthy look,appear,seem lose,lost,forfeit
main,principal,primary,chief,major,key,central mainly,primarily,mostly,chiefly,largely,principally
maintain,preserve,keep,retain,sustain,uphold major,main,important,significant,principal majority,most,bulk
make,create,produce,build,construct manage,handle,administer,control,run,oversee manner,way,fashion,mode many,numerous
match,correspond,fit,agree matter,issue,topic,subject mature,established mean,meant,signify,denote,imply
measure,gauge,quantify mechanism,method,means,machinery meet,met,satisfy,fulfill,fulfil
mention,state,note,discuss,cite merge,combine,join,unite,fuse method,technique,approach,way,procedure
mimic,imitate,resemble,emulate,simulate minor,small,slight,negligible misleading,deceptive
mitigate,alleviate,reduce,lessen,ease,relieve mix,blend,combine modest,moderate
modification,change,alteration,adjustment modify,change,alter,adjust,adapt,edit,tweak
monitor,watch,observe,track,supervise mostly,mainly,largely,primarily,generally
motivate,drive,drove,driven,inspire,encourage,prompt motivation,incentive,reason,rationale
move,shift,relocate,transfer mutual,reciprocal name,call,title namely,specifically naturally,intuitively
necessary,required,needed,essential,mandatory need,require,demand,requirement,necessity
negligible,insignificant,minor,trivial new,novel,fresh normal,usual,regular,ordinary,typical,standard
notable,remarkable,noteworthy note,notice,observe,remark,mention notice,observe,see,note,spot,detect
novel,new,innovative obscure,hide,unclear observe,see,notice,watch,monitor,note obsolete,outdated,deprecated
obstacle,barrier,hurdle,impediment obtain,get,acquire,gain,receive,fetch,retrieve
obviously,clearly,evidently,apparently,plainly occasion,time,event occupy,fill,use
occur,happen,arise,appear,occurred,occurring occurrence,instance,incident offer,provide,supply,give,propose,present
often,frequently,regularly,commonly omit,skip,exclude,drop,leave ongoing,continuing,current only,solely,just,merely
operation,action,activity opt,choose,decide optimal,best,ideal option,choice,alternative,possibility
organize,organise,arrange,structure origin,source otherwise,else outcome,result,consequence,effect,output
outline,describe,sketch,summarize,summarise,overview overall,general,total,entire overcome,surmount,conquer
overhead,burden,cost overlook,miss,neglect oversee,supervise,manage,monitor overview,summary,outline,survey
part,portion,piece,component,section partially,partly participate,join past,previous,former pattern,scheme,model
pause,suspend,break perform,execute,carry,conduct,accomplish period,time,interval,duration
permit,permitted,permitting,allow,let,enable,authorize perspective,viewpoint,view pertain,relate,concern
phenomenon,event place,put,position,location,spot plain,simple,clear,obvious plan,intend,scheme,strategy,design
plausible,credible,reasonable point,aim portion,part,piece,share,fraction pose,present,raise possess,have,own
possibility,option,chance,opportunity possible,feasible,potential,viable,conceivable
possibly,potentially,perhaps,maybe potential,possible,prospective power,strength powerful,strong,mighty
practical,useful,feasible,realistic practically,virtually,almost practice,habit,custom
predict,forecast,foresee,anticipate predominantly,mainly,mostly,primarily preferable,better
preferred,favored,favoured,desired preliminary,initial prepare,ready prescribe,dictate,mandate presence,existence
present,show,display,introduce,offer,describe preserve,keep,retain,maintain,conserve,save
presumably,probably,supposedly prevailing,current,dominant prevent,stop,avoid,avert,hinder
previous,prior,earlier,former,preceding previously,formerly,earlier,before principle,rule,tenet
probably,likely,presumably problem,issue,trouble,difficulty,challenge problematic,troublesome
procedure,method,process,technique proceed,continue,advance,move process,procedure,handle,treat
produce,generate,create,make,yield,emit profit,benefit,gain progress,advance,advancement,development
progressively,gradually,increasingly prohibit,forbid,ban,disallow prominent,notable promising,encouraging
promote,encourage,foster,advance prompt,quick,immediate,cause promptly,quickly,immediately,swiftly
prone,liable,susceptible proper,correct,right,appropriate,suitable properly,correctly,appropriately,suitably,rightly
property,attribute,characteristic,trait proportion,share,fraction,ratio proposal,suggestion,proposition
propose,suggest,recommend,offer,advance prospect,outlook protect,guard,shield,safeguard
prove,proven,show,demonstrate,establish provide,supply,offer,give,furnish,deliver,present prudent,wise,sensible
publicize,publicise,advertise purpose,aim,goal,objective,intention,reason pursue,follow,seek quantity,amount,number
question,query,issue,ask quick,fast,rapid,swift,speedy quickly,rapidly,fast,swiftly,speedily,promptly quit,leave,stop
raise,increase,lift,elevate range,scope,span,variety rare,infrequent,uncommon,scarce rather,instead,fairly,quite
rationale,reason,reasoning,motivation,justification reach,attain,achieve,hit readily,easily,quickly
ready,prepared,willing real,actual,genuine,true realize,realise,understand,recognize,achieve
really,truly,actually,indeed reason,cause,rationale,motive,ground,explanation
reasonable,sensible,logical,fair,rational reassess,reevaluate recent,latest,new recently,lately,newly
recognize,recognise,identify,detect,acknowledge recommend,suggest,advise,propose,advocate
recommendation,suggestion,advice,proposal reconsider,rethink recur,repeat,reappear recycle,reuse
reduce,decrease,lower,lessen,diminish,cut,minimize,minimise,shrink reduction,decrease refer,point,relate
referring,pointing refine,improve,polish,enhance reflect,mirror,show,represent regardless,irrespective
regular,normal,usual,ordinary,frequent regularly,frequently,often,routinely regulate,control,govern
reject,refuse,dismiss,decline relate,connect,link,pertain related,relevant,associated,connected,linked
relation,relationship,connection,link,association relatively,comparatively,fairly,rather
relevant,related,pertinent,applicable,important reliable,dependable,trustworthy reliably,dependably rely,depend,count
remain,stay,persist,continue remainder,rest,remaining remaining,leftover,rest remark,comment,note,observation
remember,recall,recollect remind,prompt remove,eliminate,delete,drop,strip rename,retitle render,make,draw
repeat,redo,reiterate replace,substitute,swap,exchange,supersede,displace replacement,substitute,substitution
reply,answer,respond,response report,state,tell represent,denote,depict,stand,constitute,reflect,signify request,ask
require,need,demand,necessitate,entail,call resemble,mimic,mirror reside,live,lie,sit resist,withstand,oppose
resolve,solve,fix,settle,decide respond,reply,answer,react responsibility,duty,obligation,task
responsible,accountable,liable restore,recover,reinstate restrict,limit,constrain,confine
result,outcome,consequence,effect,product resume,continue retrieve,fetch,get,obtain,recover
reveal,show,expose,disclose,uncover review,examine,inspect,assess,check rich,abundant rigid,inflexible,stiff
rigorous,strict,thorough rise,rose,risen,increase,grow risk,danger,hazard,threat robust,sturdy,strong,resilient,solid
role,function,part root,origin,basis rough,approximate rule,principle,regulation,guideline run,execute,operate
safe,secure safeguard,protect,protection satisfactory,adequate,acceptable save,store,preserve,keep
say,said,state,tell,mention scarcely,barely scheme,plan,pattern,strategy scope,range,extent,reach
scrutinize,examine,inspect seamless,smooth seamlessly,smoothly search,look,seek,hunt section,passage,part
see,saw,seen,view,notice,observe,look seek,sought,look,search,pursue segregate,separate selection,choice,pick
send,sent,transmit,dispatch,deliver,forward sense,meaning sensible,reasonable,wise sensibly,reasonably
separate,distinct,divide,split,different,individual separately,individually,independently sequence,series,order
serious,severe,grave,significant serve,act,function set,put,place,establish severe,serious,harsh,grave
share,portion,divide shelter,protect shortage,lack,scarcity shortcoming,drawback,weakness,flaw,limitation,deficiency
shorten,cut,reduce,abbreviate shortly,soon show,shown,showed,display,demonstrate,present,indicate,illustrate,reveal
sign,indication,signal signal,indicate,sign significance,importance,meaning
significant,important,considerable,substantial,major,notable significantly,considerably,substantially,greatly,markedly
similar,alike,comparable,analogous,related similarity,resemblance,likeness similarly,likewise,equally,comparably
simple,easy,plain,straightforward,basic,uncomplicated simplify,streamline,ease simply,just,merely,easily,only
situation,circumstance,case,scenario,condition,state size,magnitude,dimension sketch,outline,draft
skilled,experienced,expert skip,omit,bypass slightly,somewhat,marginally slowly,gradually small,tiny,little,minor
smart,clever,intelligent solely,only,exclusively,merely,purely solid,robust,firm,sturdy
solution,answer,remedy,fix,resolution solve,resolve,fix,address,settle somewhat,slightly,rather
sophisticated,advanced,complex span,cover,range spawn,create,start special,particular,specific,dedicated
specific,particular,certain,concrete,precise,special specifically,particularly,especially,explicitly
specify,define,state,declare,designate,indicate,describe speed,velocity,pace,rate spend,spent,use
spot,notice,detect,see,place spread,distribute,propagate,disperse stable,steady,constant,robust stage,put
start,begin,commence,launch,initiate,beginning state,declare,say,express,mention,condition,status
statement,claim,assertion stay,remain,keep steadily,constantly step,move stop,halt,cease,end,quit
store,keep,save,hold,stash strange,odd,weird,peculiar,unusual strategy,plan,approach,method,tactic
strengthen,reinforce,enhance,fortify stress,emphasize,emphasise,strain strict,rigorous,stringent strictly,rigorously
strike,hit strive,try,aim strong,powerful,robust,solid strongly,heavily,firmly,highly
structure,organize,organise,arrangement,form struggle,strive study,examine,investigate,research,investigation
subject,topic,matter,theme subsequent,following,later,next,ensuing subsequently,later,afterwards,then
substitute,replace,swap,replacement,alternative subtle,slight,fine sudden,abrupt suddenly,abruptly suffer,experience
suffice,satisfy sufficient,enough,adequate,ample sufficiently,adequately
suggest,propose,recommend,imply,indicate,advise suggestion,proposal,recommendation,hint
suitable,appropriate,fitting,proper,apt summarize,summarise,outline,recap summary,overview,outline,synopsis,recap
supplement,complement,extend support,help,assist,aid,back,accommodate suppress,inhibit sure,certain,confident
surprising,unexpected surprisingly,unexpectedly surround,enclose susceptible,prone,vulnerable suspect,believe
suspend,pause,halt swap,exchange,switch,trade switch,change,swap tackle,address,handle,approach,attack
tailor,adapt,customize,customise take,took,taken,grab talk,discuss,speak task,duty,chore tedious,tiresome,boring
tell,told,say,inform temporarily,briefly tend,incline tendency,trend terminate,end,stop,finish,halt terrible,awful
test,check,try think,thought,believe,consider thorough,complete,detailed,exhaustive,comprehensive,careful
thoroughly,completely,carefully,fully tidy,neat,clean tie,bind,link time,period,moment together,jointly
tolerate,withstand,endure,accept,bear tool,instrument,utility total,overall,complete,entire,whole,sum toward,towards
track,follow,monitor,trace traditional,conventional,classic trait,characteristic,feature transfer,move,convey,shift
transformation,conversion,change transition,change,shift,move transmit,send,convey,forward transparent,clear,obvious
treat,handle,regard,process tremendous,enormous,huge tricky,difficult,delicate
trigger,cause,initiate,start,prompt,fire trivial,simple,easy,minor,insignificant true,correct,real
try,tried,attempt,endeavor,endeavour,seek turn,change,convert,become tweak,adjust,modify,tune
typical,usual,common,normal,standard,ordinary,characteristic unable,incapable unambiguous,clear
unclear,ambiguous,vague,obscure uncover,reveal,discover understand,comprehend,grasp,see undertake,perform
unfortunately,sadly,regrettably uniform,consistent,homogeneous uniformly,consistently,evenly unique,distinct,sole
universal,general,global unlikely,improbable unnecessary,needless,redundant,superfluous unusual,uncommon,strange,rare
unwanted,undesired,undesirable upcoming,future,forthcoming update,refresh,renew,revise upgrade,improve upper,higher
urge,press urgent,pressing usage,use,utilization,utilisation,consumption
use,usage,utilize,utilise,employ,apply,leverage useful,helpful,beneficial,valuable,practical,handy
usual,normal,common,typical,regular,ordinary,customary usually,normally,typically,generally,commonly,often,ordinarily
utterly,completely valid,legitimate,correct,sound validation,verification valuable,useful,helpful,precious
variety,range,diversity various,diverse,different,several,multiple vary,differ,change,fluctuate
vast,huge,enormous,immense,extensive verify,check,confirm,validate,ensure viable,feasible,possible,workable
view,see,regard,consider,opinion,perspective vulnerable,susceptible,exposed wait,await warn,alert,caution
warning,caution,alert waste,squander way,manner,method,fashion,approach,means weak,feeble well,properly
while,whereas,although widely,broadly,extensively,commonly widespread,common,prevalent,popular wish,want,desire,hope
withdraw,retract withstand,resist,tolerate,endure work,function,operate,effort,labor,labour,run worth,value
worthwhile,valuable,useful wrap,enclose wrong,incorrect,mistaken,erroneous wrongly,incorrectly,mistakenly
yield,produce,give,generate
"""
_TERM_ROWS = """
artifact,artefact attribute,field,property author,writer cluster,group component,part,piece container,vessel
customer,client developer,engineer document,paper,text folder,directory machine,node,computer,host message,notice
module,component parameter,argument person,people,user,human platform,system reply,response resource,asset route,path
service,facility setting,option stage,step,phase state,status state,condition status,condition task,job team,group
timespan,interval,period version,edition,release website,site
"""
_TERMS_TEXT = (
    "account ack action actor address admin agent alarm alert algorithm analyst annotation api application approver "
    "architect argument array artifact attribute auditor author backend backup bandwidth basket batch bit block board "
    "body boolean branch broker browser bucket buffer bug build bus buyer byte cache call callback card cart catalog "
    "cell certificate channel chapter character chart checkout child chunk class client clock cloud cluster code "
    "collection collector column command comment commit compiler component condition config configuration connection "
    "connector constant consumer container context controller cookie coordinator core counter courier cpu credential "
    "cursor customer daemon dashboard database dataset date deadline decoder default dependency deployment descriptor "
    "designer desktop developer device diagram dictionary directory disk doctor document domain driver edge editor "
    "element email encoder endpoint engine entity entry environment epoch error event exception executor exporter "
    "expression extension field file filter firewall flag folder follower font footer form format fragment frame "
    "framework frontend function gateway gauge graph group guest handler handshake hash header heap heartbeat "
    "histogram hook host icon image index ingester instance instruction integer interface interval invoice item "
    "iterator job journal kernel key keyboard label lambda language latency layer leader leaf learner lease level "
    "library license limit line link list listener loader lock log loop machine mailbox maintainer manager manifest "
    "map master member memory merchant message metadata method metric microservice middleware model module monitor "
    "mutex name namespace network node notification object offset operand operator order owner package packet page "
    "panel paragraph parameter parent parser partition partner password patch path patient payload payment peer "
    "permission person pipeline pixel plugin pod pointer policy pool port prefix priority process processor producer "
    "product profile program project property proposal protocol provider proxy pulse query queue quorum quota receipt "
    "receiver record refund region register registry release replica reply report repository request resolver "
    "resource response retry reviewer role router row rule runtime sampler sandbox scheduler schema scope screen "
    "script secret section segment seller semaphore sender sensor server service session shard shell shipment sibling "
    "sidecar signature sink site slice slot snapshot socket source span stack stage state statement status step "
    "storage store stream string struct student subnet subscriber subscription suffix supplier switch symbol system "
    "table tablet tag target task teacher team template tenant term test tester thread throughput ticket timeout "
    "timer timestamp token topic trace tracker traffic transaction transport tree trigger tuple type user validator "
    "value variable vector vendor version vertex video view visitor volume vote voter warehouse watcher webhook "
    "website widget window worker workflow workload workspace writer yaml zone"
)
_VOWELS = "aeiou"


def are_paraphrases(one: str, other: str) -> bool:
    """Whether two ordinary words mean the same, in whatever inflections; both in small letters."""
    terms = _terms()
    return not (one in terms and other in terms) and _share_a_row(_plain(), one, other)


def are_names_of_one(one: str, other: str) -> bool:
    """Whether two words name the same thing, where a document does not tell them apart."""
    return _share_a_row(_terms_alike(), one, other)


def are_different_things(one: str, other: str) -> bool:
    """Whether two words name things that are not the same."""
    terms = _terms()
    return one in terms and other in terms and terms[one] != terms[other] and not are_names_of_one(one, other)


def _share_a_row(rows: dict[str, frozenset[int]], one: str, other: str) -> bool:
    return not rows.get(one, frozenset()).isdisjoint(rows.get(other, frozenset()))


@lru_cache(maxsize=1)
def _plain() -> dict[str, frozenset[int]]:
    return _rows(_PLAIN_ROWS)


@lru_cache(maxsize=1)
def _terms_alike() -> dict[str, frozenset[int]]:
    return _rows(_TERM_ROWS)


@lru_cache(maxsize=1)
def _terms() -> dict[str, str]:
    """Terms and their plurals, each with its singular."""
    return {form: word for word in _TERMS_TEXT.split() for form in (word, *_plurals(word))}


def _rows(text: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for row, words in enumerate(text.split()):
        for word in words.split(","):
            for form in _inflections(word):
                found.setdefault(form, set()).add(row)
    return {word: frozenset(rows) for word, rows in found.items()}


def _plurals(word: str) -> Iterator[str]:
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        yield word[:-1] + "ies"
    elif word.endswith(("s", "x", "ch", "sh")):
        yield word + "es"
    else:
        yield word + "s"


def _inflections(word: str) -> Iterator[str]:
    """A word with the endings that a noun or a regular verb may have; what is no word matches nothing."""
    yield word
    yield from _plurals(word)
    stem = word[:-1] if word.endswith("e") else word
    yield from (stem + "ed", stem + "ing")
    if word.endswith("y"):
        yield word[:-1] + "ied"
    if word[-1] not in _VOWELS + "wxy" and word[-2:-1] in _VOWELS:
        yield from (word + word[-1] + "ed", word + word[-1] + "ing")
