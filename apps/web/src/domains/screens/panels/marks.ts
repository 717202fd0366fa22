/** The letter on the mark of a machine on a plan, and its meaning for the legend. */
const familyMarks: Readonly<Record<string, readonly [letter: string, word: string]>> = {
  towerCrane: ['塔', '塔机'],
  lifter: ['升', '升降机'],
  faceGate: ['闸', '闸机'],
  videoAi: ['摄', '摄像机'],
  environment: ['尘', '扬尘'],
  unloadingPlatform: ['卸', '卸料平台'],
  sprayController: ['淋', '喷淋'],
}
const otherMark = ['设', '其他设备'] as const

export const markOf = (family: string): readonly [letter: string, word: string] => familyMarks[family] ?? otherMark
