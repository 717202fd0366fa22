import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { duplicateTrigger, getTrigger } from '@zhugong/contract/rules/endpoints'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, RiskBadge, Tag, type Tone } from '#kit/feedback.tsx'
import { day, time } from '#kit/format.ts'
import { type Schedule, scheduleWords } from './condition-words.ts'
import type { Template } from './template-card.tsx'

type Detail = Extract<OutputFor<typeof getTrigger>, { template: true }>

const strictnessWords: Readonly<Record<string, readonly [string, Tone]>> = {
  stricter: ['更严', 'fine'],
  looser: ['更松', 'danger'],
  different: ['条件不同', 'warning'],
  missing: ['缺少', 'warning'],
}

export function TemplateDetail({ id, onApply }: { id: string; onApply: (template: Template, sites: string[], replace: boolean) => void }) {
  const [tab, setTab] = useState<'rules' | 'sites'>('rules')
  const mayApply = useCan('rules.apply')
  const { data, error, refetch } = useCall(getTrigger, { params: { id } }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  if (!data.template) return <Empty text="这不是模板" />
  const outdated = data.applied.filter((site) => site.version < data.version).map((site) => site.projectCode)
  return (
    <div className="rule-detail">
      <header>
        <h3>{data.name}</h3>
        <Tag icon={false}>{data.familyName}</Tag>
        <span className="zg-2">
          第 {data.version} 版，{time(data.updateTime)}
        </span>
        {mayApply && (
          <span className="right">
            {outdated.length > 0 && <Button onClick={() => onApply(data, outdated, false)}>更新 {outdated.length} 个项目</Button>}
            <Button type="primary" onClick={() => onApply(data, [], false)}>
              应用到项目
            </Button>
          </span>
        )}
      </header>
      {(data.remark || data.standard) && (
        <p>
          {data.remark}
          {data.standard && <span className="zg-2">（依据 {data.standard}）</span>}
        </p>
      )}
      <Segmented<'rules' | 'sites'>
        value={tab}
        options={[
          { value: 'rules', label: `规则 ${data.triggers.length}` },
          { value: 'sites', label: `应用情况 ${data.applied.length}` },
        ]}
        onChange={setTab}
      />
      {tab === 'rules' ? (
        <ol className="rule-sentences">
          {data.triggers.map((rule) => (
            <li key={rule.alarmKey} className={rule.enabled ? '' : 'off'}>
              <b>
                {rule.name}
                {!rule.enabled && <Tag>停用</Tag>}
              </b>
              {rule.levels.map((level) => (
                <div key={level.level}>
                  <RiskBadge level={level.level} word={false} /> {level.text}
                  {scheduleWords(rule.schedule as Schedule)}
                </div>
              ))}
            </li>
          ))}
        </ol>
      ) : (
        <Sites data={data} onApply={mayApply ? (site, replace) => onApply(data, [site], replace) : undefined} />
      )}
    </div>
  )
}

function Sites({ data, onApply }: { data: Detail; onApply: ((site: string, replace: boolean) => void) | undefined }) {
  const take = useAct(duplicateTrigger, { success: '已收回差异，项目恢复为模板' })
  const set = async (site: Detail['applied'][number]) => {
    const yes = await confirmDanger({
      thing: `收回 ${site.projectName} 的 ${site.drift} 处差异`,
      consequence: '项目自己改过的规则恢复为模板的内容，未恢复的告警按新规则重新判定。',
      verb: `收回 ${site.drift} 处`,
      keep: '保留差异',
    })
    if (!yes) return
    void take.run({ params: { id: data.id }, body: { projectCodes: [site.projectCode], templateId: data.id, conflict: 'replace' } })
  }
  if (data.applied.length === 0) return <Empty text="还没有项目使用" hint="应用后可在这里看到各项目与模板的差异" />
  return (
    <div className="rule-sites">
      {data.applied.map((site) => (
        <section key={site.projectCode}>
          <header>
            <b>{site.projectName}</b>
            {site.version < data.version ? (
              <Tag tone="warning">第 {site.version} 版，有新版本</Tag>
            ) : (
              <span className="zg-2">第 {site.version} 版</span>
            )}
            {site.drift > 0 ? <Tag tone="danger">{site.drift} 处差异</Tag> : <Tag tone="fine">与模板一致</Tag>}
            <span className="zg-2">{day(site.appliedAt)} 应用</span>
            {onApply && (
              <span className="right">
                {site.version < data.version && (
                  <Button size="small" onClick={() => onApply(site.projectCode, false)}>
                    更新
                  </Button>
                )}
                {site.drift > 0 && (
                  <Button size="small" danger loading={take.running} onClick={() => void set(site)}>
                    收回差异
                  </Button>
                )}
              </span>
            )}
          </header>
          {site.differences.length > 0 && (
            <table className="rule-openings">
              <thead>
                <tr>
                  <th>告警</th>
                  <th>模板</th>
                  <th>项目</th>
                  <th>比较</th>
                </tr>
              </thead>
              <tbody>
                {site.differences.map((one) => {
                  const [word, tone] = strictnessWords[one.strictness] ?? [one.strictness, 'neutral' as const]
                  return (
                    <tr key={one.alarmKey}>
                      <td>{one.alarmLabel}</td>
                      <td>{one.template}</td>
                      <td>{one.site}</td>
                      <td>
                        <Tag tone={tone}>{word}</Tag>
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          )}
        </section>
      ))}
    </div>
  )
}
