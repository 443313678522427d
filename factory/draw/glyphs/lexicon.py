"""Characters that puzzles are made of: frequent Chinese characters, letters, digits.

Chinese characters are owned by splits, so that a model is tested on some it
was not trained to click; letters and digits are too few for that.
"""

from __future__ import annotations

from functools import cache

from factory.core.errors import InvalidOptions
from factory.core.rng import SPLITS, digest_int

_COMMON = """
的是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家
十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从知使已把正外民党
本新现头高被老什机给意情动相长明理美间战间体问很最重并物手应向太文内已门走各月打员代想实几反利比或但质气第
花草树木林森松竹梅兰菊荷莲桃李杏梨桂柳杨枫根叶枝果实瓜豆麦稻米谷菜茶酒糖盐油醋饭面包饼粥汤肉蛋奶鱼虾蟹
鸟鸡鸭鹅鹰燕鸽鹤雀马牛羊猪狗猫兔虎狼熊鹿猴象狮龙蛇龟蛙虫蝶蜂蚁蚕鼠驼豹狐鲸
山河湖海江泉溪池井桥路街城村镇市房屋楼塔亭墙窗床桌椅柜灯镜钟表伞扇琴棋书画笔纸墨砚信邮票报刊
春夏秋冬晨昏夜昼星空云雨雪霜雾露雷电风虹冰火光影晴阴寒暑温凉
红橙黄绿青蓝紫黑白灰银金铜铁钢石土沙泥玉珠宝贝
衣服裤裙帽鞋袜巾带针线布丝棉毛皮剪刀斧锤锯钉锁钥匙瓶杯碗盘筷勺锅壶盆桶篮袋箱
车船舟帆轮飞机站港航骑驾乘坐立跑跳游泳舞歌唱笑哭喊叫听读写算讲谈教课班校园考试题答
爱恨喜怒哀乐忧愁思念梦醒睡眠吃喝玩耍休息忙闲快慢早晚迟远近深浅厚薄宽窄粗细轻软硬冷热干湿甜苦辣酸咸香臭
东西南北左右内外上下前后里旁边角圆球环线点数量度尺寸斤两百千万亿半双单倍
父母兄弟姐妹爷奶叔姨孙女男孩童友客师徒医农工商兵警官王后臣
眼耳口鼻舌牙脸眉发颈肩胸背腰腹腿脚指甲骨血汗泪
世界州省县乡洲岛屿洋岸滩田野原丘岭峰谷洞
科技术语言词句章节段落篇目录页卷册史诗歌曲戏剧影视
买卖借还送收寄取存换找钱价贵贱租付账
开关推拉提举抬放挂贴包装拆修建造种植养育收获割晒磨炒煮蒸烤炸
平安康健福禄寿禧吉祥如意兴旺盛繁荣富强和谐美丽善良勇敢诚聪慧勤俭
"""

TOO_THIN = frozenset("一二三了几人入八十又力刀厂卜于干工土士大")
"""Of so few strokes that their hull says little, or that a line of noise makes another of them."""

LETTERS_CYRILLIC = "БГДЖЗИЛПФЦЧШЩЫЭЮЯ"
LETTERS_GREEK = "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθλμξπσφψω"
LETTERS_DEVANAGARI = "कखगघचछजझटठडढतथदधनपफबभमयरलवशसह"
VOWELS, CONSONANTS = "AEIOU", "BCDFGHJKLMNPQRSTVXZ"
"""Without Y and W, whose class is disputed."""

_LETTERS = {
    "cyrillic": LETTERS_CYRILLIC,
    "greek": LETTERS_GREEK,
    "devanagari": LETTERS_DEVANAGARI,
}


@cache
def all_han() -> tuple[str, ...]:
    """Every Chinese character of the lexicon once, in its order."""
    return tuple(dict.fromkeys("".join(_COMMON.split())))


@cache
def owner_of(char: str) -> str:
    """The split that owns a Chinese character: 90 % train, 5 % val, 5 % test by digest."""
    percent = digest_int(f"han|{char}", 32) % 100
    return "train" if percent < 90 else "val" if percent < 95 else "test"


@cache
def han(split: str) -> tuple[str, ...]:
    """Chinese characters of a split that are easy to click; those of few strokes are left out."""
    if split not in SPLITS:
        raise InvalidOptions(f"no split {split!r}; there are {', '.join(SPLITS)}")
    return tuple(c for c in all_han() if owner_of(c) == split and c not in TOO_THIN)


def letters(script: str) -> str:
    """Letters of ``cyrillic``, ``greek`` or ``devanagari`` that need no shaping."""
    if script not in _LETTERS:
        raise InvalidOptions(f"no letters of {script!r}; there are {', '.join(_LETTERS)}")
    return _LETTERS[script]
