import { changeStop, type StopCheck, type StopDetail } from '@zhugong/contract/stops/calls'
import { Button, Input, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Card, Tag } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'

const verdict = (passed: boolean | null) =>
  passed === null ? <Tag>未填</Tag> : passed ? <Tag tone="fine">合格</Tag> : <Tag tone="danger">不合格</Tag>

/** The resumption table: what the applicant states, and what the officers found. */
export function ChecksCard({ checks, children }: { checks: readonly StopCheck[]; children?: (check: StopCheck) => ReactNode }) {
  const good = checks.filter((one) => one.passed).length
  const isFound = checks.some((one) => one.sitePassed !== null)
  return (
    <Card title="复工核查表" remark={`自查合格 ${good} / ${checks.length}`}>
      <ul className="stop-checks">
        {checks.map((check) => (
          <li key={check.item}>
            <div className="zg-row zg-gap-6 zg-wrap">
              <b>{check.name}</b>
              <span>自查 {verdict(check.passed)}</span>
              {isFound && <span>核查 {verdict(check.sitePassed)}</span>}
              <span className="zg-2">{check.asks}</span>
            </div>
            {check.note && <p>{check.note}</p>}
            {check.siteNote && <p className={check.sitePassed ? '' : 'tone-danger'}>核查：{check.siteNote}</p>}
            {check.photos.length > 0 && (
              <div className="zg-row zg-wrap zg-gap-6">
                {check.photos.map((one, at) => (
                  <Thumb key={one} src={one} name={`${check.name} ${at + 1}`} width={72} height={54} />
                ))}
              </div>
            )}
            {children?.(check)}
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface Finding {
  passed: boolean | null
  note: string | null
}
const choices = [
  { value: 'pass', label: '合格' },
  { value: 'fail', label: '不合格' },
]

/** The officers go through the six groups; what they find can be kept until the verdict. */
export function SiteCheckForm({ file }: { file: StopDetail }) {
  const [typed, setTyped] = useState<Record<string, Finding>>({})
  const [opinion, setOpinion] = useState('')
  const save = useAct(changeStop, { success: '核查记录已保存' })
  const act = useAct(changeStop, { success: '已办理' })
  const of = (check: StopCheck): Finding => typed[check.item] ?? { passed: check.sitePassed, note: check.siteNote }
  const set = (check: StopCheck, more: Partial<Finding>) => setTyped({ ...typed, [check.item]: { ...of(check), ...more } })
  const findings = file.checks.map((check) => ({ item: check.item as '1', ...of(check) }))
  const failed = file.checks.filter((check) => of(check).passed === false)
  const open = file.checks.filter((check) => of(check).passed === null)
  const key = { params: { id: file.id }, query: { projectCode: file.projectCode } }
  const { version } = file

  const pass = async () => {
    const sure = await confirmDanger({
      thing: `核查通过 ${file.code ?? ''}`,
      consequence: `${file.projectName}恢复在建，恢复考勤，出具恢复施工安全监督告知书。`,
      verb: '核查通过',
      keep: '再看看',
    })
    if (sure) await act.run({ ...key, body: { version, action: 'pass', findings, opinion } }, { fieldsShown: true })
  }
  const fail = async () => {
    const why = await askReason('核查不通过', '驳回原因（至少 5 个字）')
    if (why) await act.run({ ...key, body: { version, action: 'fail', findings, opinion: why } })
  }
  return (
    <>
      <ChecksCard checks={file.checks}>
        {(check) => (
          <div className="stop-find">
            <Segmented
              aria-label={`${check.name}核查结果`}
              options={choices}
              value={of(check).passed === null ? '' : of(check).passed ? 'pass' : 'fail'}
              onChange={(value) => set(check, { passed: value === 'pass' })}
            />
            <Input
              aria-label={`${check.name}核查说明`}
              placeholder={of(check).passed === false ? '哪里不合格，例如 2 号塔机未检测' : '核查说明（可不填）'}
              maxLength={500}
              value={of(check).note ?? ''}
              onChange={(event) => set(check, { note: event.target.value || null })}
            />
          </div>
        )}
      </ChecksCard>
      <Card
        title="核查结论"
        remark={open.length ? `还有 ${open.length} 项未核查` : failed.length ? `${failed.length} 项不合格` : '全部合格'}
      >
        <label className="zg-label" htmlFor="stop-opinion">
          意见
        </label>
        <Input.TextArea id="stop-opinion" rows={2} maxLength={500} value={opinion} onChange={(event) => setOpinion(event.target.value)} />
        <p className="zg-row zg-gap-6 zg-wrap">
          <Button
            type="primary"
            size="large"
            disabled={open.length > 0 || failed.length > 0}
            loading={act.running}
            onClick={() => void pass()}
          >
            核查通过
          </Button>
          <Button danger size="large" disabled={failed.length === 0} loading={act.running} onClick={() => void fail()}>
            核查不通过
          </Button>
          <Button
            size="large"
            loading={save.running}
            onClick={() => void save.run({ ...key, body: { version, action: 'saveCheck', findings } })}
          >
            保存核查记录
          </Button>
          {act.error && <span className="tone-danger">{act.error.message}</span>}
        </p>
      </Card>
    </>
  )
}
