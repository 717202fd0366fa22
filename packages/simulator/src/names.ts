import type { Random } from './random.ts'

const surnames: readonly (readonly [string, number])[] = [
  ['王', 72],
  ['李', 74],
  ['张', 68],
  ['刘', 54],
  ['陈', 50],
  ['杨', 36],
  ['黄', 30],
  ['赵', 24],
  ['周', 30],
  ['吴', 26],
  ['徐', 20],
  ['孙', 15],
  ['胡', 28],
  ['朱', 16],
  ['高', 12],
  ['林', 10],
  ['何', 22],
  ['郭', 14],
  ['马', 12],
  ['罗', 18],
  ['梁', 10],
  ['宋', 12],
  ['郑', 12],
  ['谢', 14],
  ['韩', 9],
  ['唐', 14],
  ['冯', 10],
  ['于', 6],
  ['董', 9],
  ['萧', 4],
  ['程', 15],
  ['曹', 10],
  ['袁', 11],
  ['邓', 16],
  ['许', 11],
  ['傅', 5],
  ['沈', 6],
  ['曾', 10],
  ['彭', 15],
  ['吕', 7],
  ['苏', 6],
  ['卢', 7],
  ['蒋', 8],
  ['蔡', 9],
  ['贾', 4],
  ['丁', 7],
  ['魏', 7],
  ['薛', 4],
  ['叶', 7],
  ['阎', 2],
  ['余', 14],
  ['潘', 8],
  ['杜', 9],
  ['戴', 6],
  ['夏', 9],
  ['钟', 7],
  ['汪', 10],
  ['田', 12],
  ['任', 6],
  ['姜', 6],
  ['范', 7],
  ['方', 8],
  ['石', 8],
  ['姚', 7],
  ['谭', 10],
  ['廖', 8],
  ['邹', 8],
  ['熊', 12],
  ['金', 5],
  ['陆', 5],
  ['郝', 3],
  ['孔', 3],
  ['白', 3],
  ['崔', 3],
  ['康', 4],
  ['毛', 4],
  ['邱', 5],
  ['秦', 6],
  ['江', 6],
  ['史', 4],
  ['顾', 3],
  ['侯', 4],
  ['邵', 4],
  ['孟', 4],
  ['龙', 5],
  ['万', 7],
  ['段', 5],
  ['雷', 7],
  ['钱', 4],
  ['汤', 5],
  ['尹', 5],
  ['黎', 5],
  ['易', 5],
  ['常', 3],
  ['武', 3],
  ['乔', 2],
  ['贺', 4],
  ['赖', 3],
  ['龚', 7],
  ['文', 4],
  ['向', 9],
  ['覃', 8],
  ['詹', 3],
  ['鲁', 4],
  ['欧阳', 1],
  ['柯', 4],
  ['涂', 4],
  ['肖', 9],
]
const maleGiven = [
  ...'建国华明伟强军勇刚平辉斌波涛鹏飞志海林清松柏生发旺财喜贵福顺义忠诚光德祥永长春秋成龙虎俊杰超凡文武斌立新学友金玉宝山川江河大小兵民安康正东南西北',
]
const femaleGiven = [...'秀英芳兰梅桂珍玉凤霞燕琴红艳丽娟敏静莉萍云香菊翠莲花春秋冬雪月娥芬慧玲琼蓉素华']
const twoMale = [
  '志刚',
  '建军',
  '国平',
  '小龙',
  '永发',
  '光明',
  '文斌',
  '世林',
  '大军',
  '业军',
  '金山',
  '建华',
  '家旺',
  '守义',
  '传福',
  '德清',
  '克勤',
  '先进',
  '宏伟',
  '少华',
  '启明',
  '洪波',
  '爱国',
  '跃进',
]
const twoFemale = ['桂珍', '冬梅', '秀兰', '玉梅', '春香', '红英', '翠萍', '小琴', '丽华', '腊梅', '金凤', '爱莲', '素芳']

const minorities: readonly { nation: string; area: string; male: string[]; female: string[] }[] = [
  { nation: '05', area: '653190', male: ['买买提·吐尔逊', '艾尔肯·热合曼', '库尔班·依明'], female: ['阿依古丽·买买提', '古丽娜尔·阿布都'] },
  { nation: '17', area: '654090', male: ['叶尔兰·别克', '达吾列·马合木提'], female: ['阿依努尔·哈力'] },
  { nation: '04', area: '513390', male: ['扎西·多吉', '洛桑·次仁'], female: ['卓玛·拉姆'] },
]

export interface NamedPerson {
  name: string
  gender: '1' | '2'
  /** Code of dictionary nation. */
  nation: string
  /** Area that issued the ID number; undefined = any of the region. */
  area?: string
}

export function personName(random: Random, femaleShare: number): NamedPerson {
  const female = random.chance(femaleShare)
  const gender = female ? '2' : '1'
  if (random.chance(0.012)) {
    const people = random.pick(minorities)
    return { name: random.pick(female ? people.female : people.male), gender, nation: people.nation, area: people.area }
  }
  const surname = random.weighted(surnames)
  const characters = female ? femaleGiven : maleGiven
  const given = random.chance(0.22)
    ? random.pick(characters)
    : random.chance(0.45)
      ? random.pick(female ? twoFemale : twoMale)
      : random.pick(characters) + random.pick(characters)
  // 土家族 and 苗族 live in the west of the province and share surnames with their Han neighbours.
  const nation = random.chance(['向', '覃', '田', '谭'].includes(surname) ? 0.45 : 0.03) ? random.pick(['15', '15', '15', '06']) : '01'
  return { name: surname + given, gender, nation }
}
