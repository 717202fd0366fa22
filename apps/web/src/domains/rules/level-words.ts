import { noticeChannels } from '@zhugong/contract/notify/codes'
import { type LevelRow, sounds } from '@zhugong/contract/rules/level-model'
import { type Difference, differencesOf } from '#kit/settings-shell.tsx'

const labels = {
  name: '名称',
  label: '说明',
  color: '颜色',
  sound: '声音',
  channels: '渠道',
  repeatMinutes: '重复提醒',
  photoRequired: '处置须上传照片',
  escalation: '无人接单时升级',
} as const

/** Values of a level in words. */
const read = ({ name, label, color, sound, plan }: LevelRow): Record<keyof typeof labels, string> => ({
  name,
  label,
  color: color.toUpperCase(),
  sound: sounds[sound],
  channels: plan.channels.map((one) => noticeChannels[one as keyof typeof noticeChannels] ?? one).join('、') || '无',
  repeatMinutes: plan.repeatMinutes ? `每 ${plan.repeatMinutes} 分钟` : '不重复',
  photoRequired: plan.photoRequired ? '是' : '否',
  escalation: plan.escalation.map((rung) => `${rung.afterMinutes} 分钟 ${rung.roles.join('、')}`).join('，') || '不升级',
})

/** Changes that saving would make, by level. */
export const levelDifferences = (before: readonly LevelRow[], after: readonly LevelRow[]): Difference[] =>
  before.flatMap((one) => {
    const now = after.find((other) => other.level === one.level)
    if (!now) return []
    return differencesOf(read(one), read(now), labels).map((found) => ({ ...found, label: `${one.level} 级${found.label}` }))
  })
