"""TEMPORARY stand-in until the real pictures land: overwrite me."""
import skia
from dataclasses import dataclass, asdict
from factory.core.puzzle import Content
@dataclass(frozen=True)
class PictureSpec:
    kind:str; asset:str; params:dict
    def as_dict(self): return asdict(self)
    @classmethod
    def from_dict(cls,d): return cls(**d)
    def identity(self): return [self.kind,self.asset]
def compose(kind,number,stream,split,detail):
    return PictureSpec(kind,str(number),{'h':round(stream.uniform(0,360),6)})
def draw(canvas,spec,size):
    p=skia.Paint(Color=skia.Color(120,180,250)); canvas.drawRect(skia.Rect(0,0,size,size),p)
    p=skia.Paint(Color=skia.Color(40,120,40)); canvas.drawRect(skia.Rect(0,size*.6,size,size),p)
    p=skia.Paint(Color=skia.Color(200,60,40),AntiAlias=True)
    s=int(spec.asset)
    canvas.drawRect(skia.Rect(size*.2+s%50,size*.4,size*.5,size*.7),p)
def contents(split): return [Content(k,w,10**9) for k,w in (('a',.3),('b',.3),('c',.4))]
def use_folders(f,expected_digest=''): return ''
