import { type NoticeChannel, noticeChannels, outsideRoles, siteRoles } from '@zhugong/contract/notify/codes'
import { Choices } from './inputs.tsx'

export interface Told {
  tellRoles: string[]
  tellChannels: NoticeChannel[]
}

const usual: readonly string[] = [...siteRoles, ...outsideRoles]
const channelOptions = Object.entries(noticeChannels).map(([value, label]) => ({ value, label }))

/** Whom a setting tells and how; items for `Pairs`. Roles that nobody holds any more stay in the choice, so that they are seen. */
export const tellItems = (told: Told, onChange: (part: Partial<Told>) => void) => [
  {
    label: '接收角色',
    value: (
      <Choices
        aria-label="接收角色"
        value={told.tellRoles}
        options={[...new Set([...usual, ...told.tellRoles])].map((role) => ({ value: role, label: role }))}
        onChange={(roles) => onChange({ tellRoles: roles ?? [] })}
      />
    ),
  },
  {
    label: '通知方式',
    value: (
      <Choices
        aria-label="通知方式"
        value={told.tellChannels}
        options={channelOptions}
        onChange={(channels) => onChange({ tellChannels: (channels ?? []) as NoticeChannel[] })}
      />
    ),
  },
]

export const channelWords = (channels: readonly NoticeChannel[]): string => channels.map((one) => noticeChannels[one]).join('、')
