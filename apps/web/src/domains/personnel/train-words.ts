import type { TrainMark } from '@zhugong/contract/personnel/train-model'

export const markWords: Record<TrainMark['state'], string> = { passed: '合格', failed: '不合格', due: '到期', none: '缺' }
/** What a mark says in full. */
export const markTitle = (mark: TrainMark): string =>
  mark.date ? `${mark.date} ${markWords[mark.state]}，${mark.hours} 学时${mark.state === 'due' ? '，满一年须再教育' : ''}` : '没有记录'
