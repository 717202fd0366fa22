import type { BriefingState } from '@zhugong/contract/briefings/moves'

export interface BriefingPlan {
  name: string
  part: string
  /** Code of the template. */
  template: string
  /** Days ago. */
  age: number
  state: BriefingState
  /** How many of the gang did not sign. */
  unsigned?: number
  /** `fast`: all at once; `away`: one of them did not come that day. */
  doubt?: 'fast' | 'away'
  /** The last two signed on paper. */
  paper?: true
}

/** Briefings of the site with a story: three wait for signatures, one is void, one doubtful. */
export const storyBriefings: readonly BriefingPlan[] = [
  { name: '外脚手架搭设安全技术交底', part: '1 号楼 6～9 层外架', template: 'scaffold', age: 1, state: '1', unsigned: 1 },
  { name: '梁板模板安装安全技术交底', part: '1 号楼 9 层梁板', template: 'formwork', age: 1, state: '1', unsigned: 2 },
  { name: '机电预埋临时用电交底', part: '地下一层', template: 'electric', age: 2, state: '1', unsigned: 1 },
  { name: '钢筋绑扎安全技术交底', part: '1 号楼 9 层梁板', template: 'rebar', age: 2, state: '2' },
  { name: '混凝土浇筑安全技术交底', part: '1 号楼 8 层梁板', template: 'concrete', age: 3, state: '2', paper: true },
  { name: '塔吊吊装作业交底', part: '1 号楼北侧', template: 'lifting', age: 3, state: '2' },
  { name: '二次结构砌筑交底', part: '1 号楼 3 层', template: 'masonry', age: 4, state: '2' },
  { name: '动火作业安全技术交底', part: '屋面机房', template: 'hotwork', age: 5, state: '2' },
  { name: '临时用电安全技术交底', part: '木工加工区', template: 'electric', age: 6, state: '9' },
  { name: '外脚手架拆改交底', part: '2 号楼 3 层外架', template: 'scaffold', age: 7, state: '2', doubt: 'away' },
  { name: '模板拆除安全技术交底', part: '1 号楼 6 层', template: 'formwork', age: 9, state: '2' },
  { name: '钢筋绑扎安全技术交底', part: '1 号楼 7 层梁板', template: 'rebar', age: 11, state: '2' },
  { name: '混凝土浇筑安全技术交底', part: '1 号楼 7 层梁板', template: 'concrete', age: 12, state: '2' },
  { name: '防水施工安全技术交底', part: '地下室外墙', template: 'waterproof', age: 14, state: '2' },
  { name: '梁板模板安装安全技术交底', part: '1 号楼 6 层梁板', template: 'formwork', age: 16, state: '2' },
  { name: '起重吊装安全技术交底', part: '2 号楼东侧', template: 'lifting', age: 18, state: '3' },
  { name: '钢筋绑扎安全技术交底', part: '1 号楼 6 层梁板', template: 'rebar', age: 20, state: '3' },
  { name: '砌筑与抹灰安全技术交底', part: '地下二层', template: 'masonry', age: 23, state: '3' },
  { name: '外脚手架搭设安全技术交底', part: '2 号楼 1～3 层外架', template: 'scaffold', age: 26, state: '3' },
  { name: '混凝土浇筑安全技术交底', part: '1 号楼 5 层梁板', template: 'concrete', age: 29, state: '3' },
  { name: '土方回填安全技术交底', part: '基坑北侧', template: 'earth', age: 33, state: '3' },
  { name: '焊接作业安全技术交底', part: '钢结构连廊', template: 'hotwork', age: 38, state: '3' },
]

/** Briefings of every other site under construction. */
export const otherBriefings: readonly BriefingPlan[] = [
  { name: '班前安全技术交底', part: '主体结构', template: 'general', age: 1, state: '2' },
  { name: '钢筋绑扎安全技术交底', part: '标准层梁板', template: 'rebar', age: 4, state: '2' },
  { name: '模板安装安全技术交底', part: '标准层梁板', template: 'formwork', age: 8, state: '2' },
  { name: '临时用电安全技术交底', part: '施工现场', template: 'electric', age: 12, state: '2' },
]
