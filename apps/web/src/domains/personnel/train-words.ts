import type { TrainColumn, TrainMark } from '@zhugong/contract/personnel/train-model'

export const markWords: Record<TrainMark['state'], string> = {
  passed: '合格',
  failed: '不合格',
  due: '到期',
  covered: '以同等教育代',
  none: '缺',
}
/** Tooltip of a mark. */
export const markTitle = (mark: TrainMark): string =>
  mark.date ? `${mark.date} ${markWords[mark.state]}，${mark.hours} 学时${mark.state === 'due' ? '，满一年须再教育' : ''}` : '没有记录'

/** Cell of a training type without a record: missing, covered by an equivalent, or not required. */
export function unmarkedWords(column: TrainColumn, state: TrainMark['state'] | undefined): string {
  if (column === 'resume' || column === 'special') return '--'
  if (state !== 'covered') return markWords.none
  return column === 'entry' ? '以三级教育代' : '以入场教育代'
}
