import { MailOutlined, MessageOutlined, MobileOutlined } from '@ant-design/icons'
import { noticeChannel, usualNoticeText } from '@zhugong/contract/notify/codes'
import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { time, timeOfDay } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { channelWord, fillText, groupText, smsParts, type Variable } from './exec-words.ts'

type Sort = 'one' | 'group' | 'escalated'
const icons: Readonly<Record<string, ReactNode>> = { '1': <MobileOutlined />, '2': <MessageOutlined />, '4': <MailOutlined /> }
const groupDevices = ['1# 电表', '2# 电表', '3# 电表']
const groupSize = 40

/** Preview of the message on a phone, with sample values for the variables. */
export function PhonePreview({
  text,
  channels,
  project,
  escalates,
}: {
  text: string | undefined
  channels: readonly string[]
  project: string
  /** Whether there is an escalation. */
  escalates: boolean
}) {
  const [sort, setSort] = useState<Sort>('one')
  const now = useNow(30_000)
  const at = timeOfDay(now)
  const values: Record<Variable, string> = {
    项目: project,
    设备: '2# 塔机',
    告警: '力矩报警',
    等级: '二级',
    数值: '106 %',
    阈值: '力矩百分比 ≥ 100 %',
    时间: time(now),
  }
  const group = groupText(project, '设备离线', groupDevices, groupSize)
  const title = sort === 'group' ? `【四级】${group.title}` : `${sort === 'escalated' ? '上报：' : ''}【二级】2# 塔机力矩报警`
  const message = sort === 'group' ? group.text : fillText(text?.trim() || usualNoticeText, values)
  return (
    <div className="rule-phone-side">
      <Segmented<Sort>
        block
        size="small"
        value={sort}
        options={[
          { value: 'one', label: '单条' },
          { value: 'group', label: `一组 ${groupSize} 台` },
          { value: 'escalated', label: '升级', disabled: !escalates },
        ]}
        onChange={(next) => setSort(next)}
      />
      <div className="rule-phone">
        <div className="rule-phone-bar">
          <span>{at.slice(0, 5)}</span>
          <i />
          <span>5G 86%</span>
        </div>
        <div className="rule-phone-screen">
          {channels.length === 0 && <p className="rule-phone-none">选择渠道后在此预览</p>}
          {channels.map((channel) => (
            <article key={channel} className="rule-phone-note">
              <header>
                {icons[channel]} {channelWord(channel)}
                <time>现在</time>
              </header>
              {channel !== noticeChannel.sms && <b>{title}</b>}
              <p>{channel === noticeChannel.sms ? `${title} ${message}` : message}</p>
            </article>
          ))}
        </div>
      </div>
      <p className="rule-help">
        预览中的设备与数值为示例。
        {channels.includes('2') && `短信约 ${title.length + message.length + 1} 字，按 ${smsParts(`${title} ${message}`)} 条计费。`}
        同一项目、类型与等级的告警在 30 秒内合并为一条；一级立即发出，其后 30 秒内的合成下一条。
      </p>
    </div>
  )
}
