import type { MenuNode } from '@zhugong/contract/access/menu'
import { meansName } from '@zhugong/contract/kit/initials'
import { type MenuFind, menuPages, searchMenus } from '#kit/menu.ts'

/** Finds pages by title, menu path, pinyin initials or a synonym used in the trade. Pure. */

const shown = 8

/** Synonyms: what users type, and the words in titles that it stands for. */
const otherWords: readonly (readonly [said: RegExp, meant: readonly string[]])[] = [
  [/扬尘|噪声|pm\s?10|pm\s?2\.?5|tsp|空气/i, ['环境']],
  [/塔吊|吊车/, ['塔机', '塔式起重机']],
  [/电梯/, ['升降机']],
  [/摄像|监控/, ['视频']],
  [/工资|合同|实名|身份证|劳务/, ['人员列表', '人员花名册', '人员档案']],
  [/打卡|刷脸|出勤|缺勤/, ['考勤']],
  [/门禁|闸机|进出/, ['通行记录']],
  [/渣土|车牌/, ['车辆']],
  [/督办|现场通知/, ['通知公告']],
  [/停工|复工/, ['监管项目', '项目设置']],
  [/密码|手机号|动态口令/, ['个人设置']],
  [/账号|用户/, ['账号列表']],
  [/角色/, ['权限']],
  [/序列号|设备编号/, ['设备列表', '全部设备']],
  [/分包|参建/, ['单位库']],
]

export function findMenus(tree: readonly MenuNode[], word: string): MenuFind[] {
  const requested = word.trim()
  // A single letter would match nearly every title.
  const byInitials = requested.length > 1 ? menuPages(tree).filter(({ title }) => meansName(title, requested)) : []
  const byOtherWords = otherWords
    .filter(([said]) => said.test(requested))
    .flatMap(([, meant]) => meant.flatMap((one) => searchMenus(tree, one)))
  const all = [...(requested ? searchMenus(tree, requested) : []), ...byOtherWords, ...byInitials]
  return [...new Map(all.map((one) => [one.path, one])).values()].slice(0, shown)
}
