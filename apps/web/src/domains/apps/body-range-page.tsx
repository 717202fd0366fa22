import { CopyOutlined } from '@ant-design/icons'
import type { GrantRow, RangeRule } from '@zhugong/contract/apps/grant-endpoints'
import type { RangePerson } from '@zhugong/contract/apps/range-endpoints'
import { inRange } from '@zhugong/contract/apps/ranges'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { ruleOf, sameRule, useRanges } from './use-ranges.ts'
import './apps.css'

/** Toggles one officer's cell: adds an exception to an app for all, or a name to an app for some. */
function turned(rule: RangeRule, who: RangePerson, on: boolean, today: string): RangeRule {
  const { [who.userId]: _, ...until } = rule.until
  const exceptIds = rule.exceptIds.filter((id) => id !== who.userId)
  const userIds = rule.userIds.filter((id) => id !== who.userId)
  const without = { ...rule, until, exceptIds, userIds }
  if (on) return inRange(without, who, today) ? without : { ...without, userIds: [...userIds, who.userId] }
  return inRange(without, who, today) ? { ...without, exceptIds: [...exceptIds, who.userId] } : without
}
const untilDay = (rule: RangeRule, userId: string, last: string | undefined): RangeRule => {
  const { [userId]: _, ...rest } = rule.until
  return { ...rule, until: last ? { ...rest, [userId]: last } : rest }
}

/** Officers of a government, the apps each uses, and until when. */
export default function BodyRangePage() {
  const page = usePage()
  const groupId = useMe((me) => me.info?.groupId) ?? ''
  const ranges = useRanges(groupId)
  const [drafted, setDrafted] = useState<ReadonlyMap<string, RangeRule>>(new Map())
  const [post, setPost] = useState<string>()
  const [who, setWho] = useState<RangePerson>()
  const [saving, setSaving] = useState(false)
  useUnsaved(drafted.size > 0, page.cacheKey, page.entry.title)
  if (ranges.error) return <ErrorPanel error={ranges.error} retry={ranges.retry} />
  if (ranges.loading || !ranges.people) return <DetailSkeleton />
  const { list, people } = ranges
  const today = day(Date.now())
  const at = (grant: GrantRow) => drafted.get(grant.id) ?? ruleOf(grant)
  const put = (changes: readonly (readonly [GrantRow, RangeRule])[]) => {
    const next = new Map(drafted)
    for (const [grant, rule] of changes) {
      if (sameRule(rule, ruleOf(grant))) next.delete(grant.id)
      else next.set(grant.id, rule)
    }
    setDrafted(next)
  }
  const shown = people.people.filter((one) => !post || one.posts.includes(post))
  const differences: Difference[] = list.flatMap((grant) =>
    people.people.flatMap((one) => {
      const words = (rule: RangeRule) =>
        inRange(rule, one, today) ? (rule.until[one.userId] ? `到 ${rule.until[one.userId]}` : '能用') : '不能用'
      const [before, after] = [words(ruleOf(grant)), words(at(grant))]
      return before === after ? [] : [{ label: `${one.name} · ${grant.appName}`, before, after }]
    }),
  )
  const save = async () => {
    setSaving(true)
    for (const grant of list) {
      const rule = drafted.get(grant.id)
      if (rule && !(await ranges.save(grant, rule))) break
    }
    setDrafted(new Map())
    setSaving(false)
  }
  return (
    <SettingsPage
      remark="本机构的人员用哪些应用；看到哪些项目由辖区决定，能做什么由角色决定"
      last={undefined}
      lock={undefined}
      differences={differences}
      saving={saving}
      onSave={save}
      onUndo={() => setDrafted(new Map())}
    >
      <Card
        title="人员 × 应用"
        remark={`${shown.length} 人，${list.length} 个应用；点姓名设截止日或复制给接替者`}
        flush
        actions={
          <div className="apps-field">
            <Choice
              aria-label="岗位"
              placeholder="全部岗位"
              value={post}
              options={people.posts.map((one) => ({ value: one, label: one }))}
              onChange={setPost}
            />
          </div>
        }
      >
        {shown.length === 0 || list.length === 0 ? (
          <Empty small text={list.length === 0 ? '还没有需要授权的应用' : '没有这个岗位的人员'} />
        ) : (
          <div className="apps-scroll">
            <table className="apps-table apps-pinned">
              <thead>
                <tr>
                  <th>人员</th>
                  {list.map((grant) => (
                    <th key={grant.id} className="mid apps-narrow">
                      {grant.appName}
                    </th>
                  ))}
                  <th className="num">合计</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((one) => (
                  <tr key={one.userId}>
                    <td>
                      <button type="button" className="zg-bare zg-link" onClick={() => setWho(one)}>
                        {one.name}
                      </button>{' '}
                      <span className="zg-2">{one.posts.join('、') || one.orgNames.join('、')}</span>
                    </td>
                    {list.map((grant) => {
                      const rule = at(grant)
                      const last = rule.until[one.userId]
                      return (
                        <td
                          key={grant.id}
                          className={`mid ${drafted.has(grant.id) && inRange(rule, one, today) !== inRange(ruleOf(grant), one, today) ? 'changed' : ''}`}
                        >
                          <Checkbox
                            aria-label={`${one.name} ${grant.appName}`}
                            checked={inRange(rule, one, today)}
                            onChange={(event) => put([[grant, turned(rule, one, event.target.checked, today)]])}
                          />
                          {last && <small className="zg-2"> 到 {last.slice(5)}</small>}
                        </td>
                      )
                    })}
                    <td className="num">{list.filter((grant) => inRange(at(grant), one, today)).length}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      {who && (
        <OfficerDrawer
          who={who}
          others={people.people.filter((one) => one.userId !== who.userId)}
          onUntil={(last) =>
            put(
              list
                .filter((grant) => inRange(at(grant), who, today))
                .map((grant) => [grant, untilDay(at(grant), who.userId, last)] as const),
            )
          }
          onCopy={(to) => put(list.map((grant) => [grant, turned(at(grant), to, inRange(at(grant), who, today), today)] as const))}
          onClose={() => setWho(undefined)}
        />
      )}
    </SettingsPage>
  )
}

interface OfficerProps {
  who: RangePerson
  others: readonly RangePerson[]
  onUntil: (last: string | undefined) => void
  onCopy: (to: RangePerson) => void
  onClose: () => void
}
/** Handles a departing officer: sets the last day and copies the apps to a successor. */
function OfficerDrawer({ who, others, onUntil, onCopy, onClose }: OfficerProps) {
  const [last, setLast] = useState<string>()
  const [to, setTo] = useState<string>()
  const successor = others.find((one) => one.userId === to)
  return (
    <PageDrawer open size={480} title={who.name} onClose={onClose}>
      <Notice tone="info">这里的改动先进入待保存的差异，保存后生效。</Notice>
      <Card title="截止日" remark="到那天为止，之后这些应用对他收起">
        <div className="apps-bar">
          <div className="apps-field">
            <DayInput aria-label="截止日" value={last} onChange={setLast} />
          </div>
          <Button
            onClick={() => {
              onUntil(last)
              onClose()
            }}
          >
            {last ? '设为截止日' : '取消截止日'}
          </Button>
        </div>
      </Card>
      <Card title="复制给接替者" remark="接替者得到他现有的应用，其余收起">
        <div className="apps-bar">
          <div className="apps-field">
            <Choice
              aria-label="接替者"
              value={to}
              options={others.map((one) => ({ value: one.userId, label: one.name }))}
              onChange={setTo}
            />
          </div>
          <Button
            icon={<CopyOutlined />}
            disabled={!successor}
            onClick={() => {
              if (successor) onCopy(successor)
              onClose()
            }}
          >
            复制
          </Button>
        </div>
      </Card>
    </PageDrawer>
  )
}
