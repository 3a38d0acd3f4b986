"""Words that exclude one another, so that one for the other changes what a sentence says.

One row is one question and its answers: `open,opened/close,shut` are two answers, the first in two words. Words are
compared by their stems, so a row need not hold inflections. Words of one stem with different prefixes (attach, detach;
known, unknown) are found without a row. Names of products, languages and formats are often written small, so they are
listed, too. Counts, units, modals and negations are in `wording`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_ROWS = """
above/below accept,receive/reject,refuse,decline,deny acquire,obtain,lock/release,free,unlock
active,live,enabled,running,alive/inactive,idle,disabled,stopped,passive,dead
add,append,insert/remove,delete,drop,subtract
admin,administrator/user/guest/owner/reader/writer/editor/viewer/operator/member
advantage,benefit,pro,strength/drawback,downside,con,weakness,disadvantage agree/disagree ahead/behind
all,every,each,both/none,neither/some,few,any/most/many/half
allow,permit,grant,let/deny,forbid,prohibit,prevent,block,disallow,revoke
always/never/sometimes/often,frequently,usually/rarely,seldom,occasionally ascend,ascending/descend,descending
ask,query/answer,reply asynchronous,asynchronously,async/synchronous,synchronously,sync
attach,mount,bind/detach,unmount automatic,automatically,automated/manual,manually
available,reachable,up/unavailable,unreachable,down back,backward,backwards/front,forward,forwards
backup/restore,recover before,prior,previously/after,afterwards,later/during
begin,start,open,launch,first/end,finish,stop,close,terminate,last,complete,abort,halt best/worst better/worse
big,large,huge,great/small,little,tiny/medium,middle bottom/top/middle bounded,limited/unbounded,unlimited,infinite
broad,wide/narrow buy,purchase/sell cache,cached/uncached,fresh cheap,inexpensive/expensive,costly
child,descendant/parent,ancestor/sibling clean/dirty clear,obvious/unclear,ambiguous,vague
client,frontend,browser/server,backend,gateway cold/hot/warm/cool combine,merge,join/split,separate,divide,fork
common,usual,frequent,ordinary/rare,unusual,uncommon,exotic compile/interpret
complete,completely,full,fully,whole,entire,total/incomplete,partial,partially,part,half
complex,complicated,difficult,hard,intricate/simple,easy,trivial,plain compress,zip/decompress,unzip,expand
connect,join,enter/disconnect,leave,exit,quit consistent,consistently/inconsistent
constant,linear,exponential,logarithmic,quadratic construct,build,create,make/destroy,delete,demolish
consume,consumer,read,reader,subscribe,subscriber,fetch,pull,get,load/produce,producer,write,writer,publish,publisher,push,put,store,save,emit
continue,resume,proceed/pause,suspend,stop,halt
correct,correctly,right,valid,accurate,true/wrong,wrongly,incorrect,invalid,false,erroneous
create/read/update,change,modify/delete current,present,now/former,past,previous,obsolete/future,next,upcoming
deep/shallow decentralized,distributed/centralized,central default/custom,explicit,special dense/sparse
deprecated,obsolete/supported,current development,dev/staging/production,prod/test,testing
direct,directly/indirect,indirectly
disk,persistent,durable,permanent,permanently/memory,volatile,ephemeral,transient,temporary,temporarily
download/upload dynamic,dynamically,runtime/static,statically early,earlier,earliest,soon/late,later,latest,eventually
empty,blank/full,filled enable,activate,on/disable,deactivate,off encode,encrypt,hash,encoding/decode,decrypt,decoding
enter/exit,leave equal,same,identical,alike/different,unequal,distinct,other error/warning/info/debug/fatal,critical
even/odd exact,exactly,precise/approximate,approximately,roughly,about
exclude,except,omit,skip,ignore/include,contain,comprise explicit,explicitly/implicit,implicitly
external,externally,outside,foreign,outer/internal,internally,inside,inner
fail,failure,failed,fault,crash/succeed,success,successful,pass,passed failure/recovery
fast,quick,quickly,rapid,rapidly,faster/slow,slowly,slower few,fewer,less,least,minor/many,more,most,much,major
final,eventual,last/initial,first,original/intermediate fixed,constant,rigid/variable,flexible,changing,moving
float/integer/string/boolean/list/map/array foreground/background forget/remember fragile/robust gain,win/lose,loss
general,generic/special,specific,particular give,send/take,receive global,globally/local,locally/regional
good/bad,evil grow,increase,rise,raise,expand,extend,scale,gain/shrink,decrease,reduce,fall,drop,lower,decline
guarantee,ensure,promise,always/best-effort,hope
harmless,safe,secure/harmful,dangerous,unsafe,insecure,risky,malicious head/tail heavy/light
hide,hidden,conceal/show,shown,display,visible,reveal,expose high,higher,highest,upper,tall/low,lower,lowest,short
horizontal,horizontally,row,width/vertical,vertically,column,height
hourly/daily/weekly/monthly/yearly,annually/quarterly human,person,people/machine,robot
immediate,immediately,instant,eager,eagerly/delayed,deferred,later,eventual,lazy,lazily import/export
important,essential,crucial,critical,main,key/unimportant,minor,negligible,irrelevant
improve,enhance/degrade,worsen,harm inbound,incoming,ingress,ingoing/outbound,outgoing,egress
individual,individually,single,sole,alone/collective,shared,together,joint,multiple,several,group,bulk,batch
infrastructure/application input,request,argument/output,response,reply,result install,deploy/uninstall,remove
keep,retain,preserve,maintain/discard,drop,delete,remove,lose key/value known,familiar/unknown,unfamiliar
leader,master,primary,main,principal,coordinator/follower,slave,replica,secondary,standby,worker,backup,subordinate
left/right/center legacy,old,ancient/new,modern,recent lengthen/shorten light/dark linear/nonlinear log/metric/trace
logical,virtual/physical long,lengthy/short,brief loose,loosely/tight,tightly,strict lossless/lossy
low-level/high-level mandatory,required,necessary,needed,compulsory,must/optional,voluntary,unnecessary,discretionary
mature,stable,final/experimental,alpha,beta,unstable,preview,draft
max,maximum,maximal,most/min,minimum,minimal,least/average,mean,median mutable,writable/immutable,constant,readonly
native/foreign,emulated near,close,nearby/far,distant,remote new,fresh/old,stale,used
next,following,subsequent/previous,preceding,last,prior normal,regular,ordinary/abnormal,exceptional,special,irregular
north/south/east/west numerator/denominator offline/online offset/length odd/even once/repeatedly,again,twice
online/offline open,opened/close,closed,shut optimistic/pessimistic ordered,sorted/unordered,random
overload,overflow/underload,underflow own/borrow,share owner/borrower
parallel,concurrent,concurrently,simultaneous/sequential,serial,sequentially,serially partial/total
positive/negative/neutral possible,feasible,able/impossible,infeasible,unable
presence,present,existing/absence,absent,missing pro/contra private/public/protected/shared problem/solution
promote/demote proactive/reactive proprietary/open question/answer raw/processed,cooked readable/unreadable,illegible
real/fake,simulated,mock,imaginary rebuild/reuse red/green/blue/yellow/orange/white/black/grey
reliable/unreliable,flaky replicated/partitioned,sharded risk/safety rough/smooth,fine save/load,discard
sender,source,origin,emitter/receiver,recipient,target,destination,sink shared/exclusive,dedicated sign/verify
similar,alike/different,dissimilar single/double/multiple,several/triple slow/fast soft/hard source/sink/target
special/general stateful/stateless static/dynamic strength/weakness strong,strongly/weak,weakly,eventual
structured/unstructured succeed/fail sufficient,enough/insufficient,lacking supply/demand
support,assist,help/oppose,hinder,impede sync/async take/give temporary/permanent tenant/provider text/binary
thick/thin,slim today/tomorrow/yesterday together/apart,separately top-down/bottom-up trust,trusted/distrust,untrusted
ubiquitous/rare unicast/multicast/broadcast unique,distinct/duplicate,repeated,shared
up,upward,upwards,upper/down,downward,downwards upgrade,update/downgrade,rollback,revert upstream/downstream
useful,helpful/useless user/system/kernel usual/unusual vertical/horizontal wait/proceed win/lose wildcard/exact
with/without within/outside,beyond zero/nonzero stop/start/pause blocking/nonblocking
monday/tuesday/wednesday/thursday/friday/saturday/sunday client/server hit/miss hardware/software/firmware
cause/effect,consequence morning/evening/noon/night debit/credit asset/liability lend/borrow attack/defend,defense
children/parents appear,emerge/vanish,disappear man/woman male/female husband/wife teacher/student love/hate
profit/loss friend/enemy employer/employee theory/practice reading/writing arrival/departure arrive/depart ebb/flow
wet/dry war/peace sum,plus/difference,minus multiply/divide product/quotient ceiling/floor entrance/exit
intro,introduction/conclusion,summary sooner/later faster/slower stricter/looser greater,more/lesser,fewer
majority/minority inclusive/exclusive inclusion/exclusion success/error ready/busy accepted/pending/rejected
pending,waiting/running/finished,done,completed/failed/cancelled string,text/number/date/binary
sequence/set/map/tree/graph table/view/index column/row schema/data host/guest cpu/memory/disk/network
image/video/audio/text patch/minor/major build/test/deploy/release commit/rollback,abort push/pull/fetch clone/fork
branch/tag/commit insert/update/delete/select pod/node/cluster/container staging/production topic/queue/stream
event/command/query local/remote require,demand,request/forbid,prohibit ingest,absorb/emit,expel
gather,collect/scatter,distribute guard/expose accelerate/brake,delay soften/harden strengthen/weaken tighten/loosen
shrink/enlarge upstairs/downstairs stay/leave sleep/wake found/lost
"""
_NAMES_TEXT = (
    "redis valkey memcached kafka rabbitmq nats pulsar activemq postgres postgresql mysql mariadb sqlite mongodb "
    "cassandra dynamodb elasticsearch opensearch solr clickhouse snowflake bigquery spanner etcd consul zookeeper "
    "nginx apache envoy haproxy traefik istio linkerd docker podman containerd kubernetes nomad helm terraform "
    "ansible puppet prometheus grafana jaeger zipkin datadog splunk sentry python java golang rust ruby perl scala "
    "kotlin swift javascript typescript react angular vue svelte django flask fastapi spring rails express http https "
    "grpc rest soap graphql websocket mqtt amqp smtp imap ftp sftp ssh json yaml xml csv toml protobuf avro parquet "
    "thrift tcp udp quic tls ssl dns dhcp aws gcp azure heroku lambda linux windows macos android ios ubuntu debian "
    "alpine fedora chrome firefox safari git github gitlab bitbucket jenkins oauth saml ldap jwt spiffe vault kubelet "
    "bash markdown html css"
)
_NAMES = frozenset(_NAMES_TEXT.split())
_PREFIXES_TEXT = (
    "a ab ac ad anti at bi co com con counter cross de dia dis down e em en ex fore hyper hypo il im in infra inter "
    "intra ir macro mega meta micro mid mini mis mono multi non off on out over para per poly post pre pro proto "
    "pseudo quasi re retro semi sub super sym syn tele trans tri ultra un under uni up well"
)
_PREFIXES = tuple(_PREFIXES_TEXT.split())
_SUFFIXES = ("ness", "less", "ful")
_STEM = 4  # letters that two words of one stem must share
_ENDING = re.compile(r"(?:ations?|ments?|ingly|edly|ions?|ings?|ers?|ors?|ies|ed|es|ly|s|e|y)\Z")


def exclude_one_another(one: str, other: str) -> bool:
    """Whether two words are different answers to one question, one stem with other prefixes or suffixes, or a name."""
    if one in _NAMES or other in _NAMES:
        return True
    first, second = _answers().get(_stem(one), {}), _answers().get(_stem(other), {})
    if any(answer != second.get(row, answer) for row, answer in first.items()):
        return True
    return bool(set(_cores(one)) & set(_cores(other)))


def _cores(word: str) -> Iterator[str]:
    """What is left of a word without a prefix, or without `-less` and `-ful`; the word itself."""
    word = word.replace("-", "")
    ends = [word, *(word.removesuffix(ending) for ending in _SUFFIXES if word.endswith(ending))]
    for one in ends:
        for start in ("", *_PREFIXES):
            if one.startswith(start):
                core = one.removeprefix(start)
                yield from (part for part in (core, _stem(core)) if len(part) >= _STEM)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    stem = _ENDING.sub("", word)
    return stem if len(stem) >= 3 else word


@lru_cache(maxsize=1)
def _answers() -> dict[str, dict[int, int]]:
    """For each stem, its answer in each row that has it; the first one where it stands in several."""
    found: dict[str, dict[int, int]] = {}
    for row, line in enumerate(_ROWS.split()):
        for answer, words in enumerate(line.split("/")):
            for word in words.split(","):
                found.setdefault(_stem(word), {}).setdefault(row, answer)
    return found
