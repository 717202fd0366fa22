import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { getMyPerson, listMyRecords, openMyPerson } from '@zhugong/contract/settings/my-person'

type Person = NonNullable<OutputFor<typeof getMyPerson>['person']>
type Opened = Pick<OutputFor<typeof openMyPerson>, 'idCardNumber' | 'cellPhone' | 'address' | 'urgentLinkManPhone'>
type Career = Pick<OutputFor<typeof listMyRecords>, 'list' | 'attendDays'>

const part = (title: string, lines: readonly string[]) => [`【${title}】`, ...(lines.length ? lines : ['无']), '']
const line = (label: string, value: string | null | undefined) => (value ? [`${label}：${value}`] : [])

/** Personal data held by the platform as plain text. */
export function ownDataText(person: Person, opened: Opened, career: Career, at: string): string {
  return [
    `本人数据，${at} 由本人下载`,
    '',
    ...part('身份与联系', [
      `姓名：${person.name}`,
      ...line(person.idCardTypeName ?? '证件', opened.idCardNumber),
      ...line('有效期', [person.startDate, person.expiryDate ?? '长期'].filter(Boolean).join(' 至 ')),
      ...line('性别', person.genderName),
      ...line('民族', person.nationName),
      ...line('手机', opened.cellPhone),
      ...line('住址', opened.address),
      ...line('紧急联系人', [person.urgentLinkMan, opened.urgentLinkManPhone].filter(Boolean).join(' ')),
      ...line('工种', person.workTypeName),
    ]),
    ...part(
      '授权',
      person.consents.map((one) => `${one.kind} ${one.state}，${one.time}，${one.way}`),
    ),
    ...part(`从业经历，出勤共 ${career.attendDays} 天`, [
      ...career.list.map((one) =>
        [
          `${one.entryTime} 至 ${one.exitTime ?? '今'}`,
          one.projectName,
          one.corpName,
          one.teamName,
          one.workTypeName,
          one.attendDays === null ? null : `出勤 ${one.attendDays} 天`,
          one.source === 'own' ? '自填' : null,
        ]
          .filter(Boolean)
          .join('，'),
      ),
    ]),
    ...part(
      '查看记录（最近 100 次）',
      person.looks.map((one) => `${one.at} ${one.groupName} ${one.viewer} ${one.summary}`),
    ),
  ].join('\n')
}
