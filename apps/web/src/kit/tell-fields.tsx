import { type NoticeChannel, noticeChannels, outsideRoles, siteRoles } from '@zhugong/contract/notify/codes'
import { Choices } from './inputs.tsx'

export interface NoticeChoice {
  tellRoles: string[]
  tellChannels: NoticeChannel[]
}

const usual: readonly string[] = [...siteRoles, ...outsideRoles]
const channelOptions = Object.entries(noticeChannels).map(([value, label]) => ({ value, label }))

/** Whom a setting notifies and how, as items for `Pairs`. Roles without any member stay in the options, so that the user sees them. */
export const tellItems = (noticeChoice: NoticeChoice, onChange: (part: Partial<NoticeChoice>) => void) => [
  {
    label: '接收角色',
    value: (
      <Choices
        aria-label="接收角色"
        value={noticeChoice.tellRoles}
        options={[...new Set([...usual, ...noticeChoice.tellRoles])].map((role) => ({ value: role, label: role }))}
        onChange={(roles) => onChange({ tellRoles: roles ?? [] })}
      />
    ),
  },
  {
    label: '通知方式',
    value: (
      <Choices
        aria-label="通知方式"
        value={noticeChoice.tellChannels}
        options={channelOptions}
        onChange={(channels) => onChange({ tellChannels: (channels ?? []) as NoticeChannel[] })}
      />
    ),
  },
]

export const channelWords = (channels: readonly NoticeChannel[]): string => channels.map((one) => noticeChannels[one]).join('、')
