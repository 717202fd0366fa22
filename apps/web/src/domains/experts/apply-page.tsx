import { applyCodeMinutes, applyExpert, ticketHours } from '@zhugong/contract/experts/apply'
import { expertStates } from '@zhugong/contract/experts/moves'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useSending } from '#domains/personnel/public.tsx'
import { confirmDanger } from '#kit/ask.ts'
import { call } from '#kit/call.ts'
import { Notice, Pairs, Tag, type Tone } from '#kit/feedback.tsx'
import { CareerStep } from './apply-career.tsx'
import { PapersStep } from './apply-papers.tsx'
import { PersonStep } from './apply-person.tsx'
import { PhoneStep } from './apply-phone.tsx'
import type { Answer, Session } from './apply-session.ts'
import { SubmitStep } from './apply-submit.tsx'
import './apply.css'

const steps = ['须知与承诺', '手机验证', '基本信息', '专业与业绩', '附件', '核对提交'] as const

/** States in which the application can be written again. */
const changeable: readonly string[] = [expertStates.draft, expertStates.rejected]

/** Public page: apply to an expert library, come back and see the state. Nothing is kept in the browser; the draft lies under the phone. */
export default function ApplyPage() {
  const [step, setStep] = useState(0)
  const [session, setSession] = useState<Session>()
  const opened = (ticket: string, answer: Answer) => {
    const application = answer.application ?? null
    setSession({
      ticket,
      application,
      options: answer.options ?? { libraries: [], titles: [], degrees: [], specialties: [] },
      draft: answer.draft ?? { library: null, person: null, career: null, papers: null },
    })
    setStep(2)
  }
  const took = (answer: Answer) =>
    session && setSession({ ...session, application: answer.application ?? null, draft: answer.draft ?? session.draft })
  const next = (answer: Answer) => {
    took(answer)
    setStep(step + 1)
    window.scrollTo(0, 0)
  }
  const shared = session && { session, onSaved: next, onBack: () => setStep(step - 1) }
  const isOpen = session && (session.application === null || changeable.includes(session.application.state))
  return (
    <main className="expert-apply">
      <h1>专家入库申请</h1>
      {!(session && !isOpen) && (
        <ol className="expert-steps">
          {steps.map((name, i) => (
            <li key={name} aria-current={i === step ? 'step' : undefined}>
              {i + 1} {name}
            </li>
          ))}
        </ol>
      )}
      {step === 0 && <Terms onAgreed={() => setStep(1)} />}
      {step === 1 && <PhoneStep onOpened={opened} onBack={() => setStep(0)} />}
      {session && !isOpen && <State session={session} onTaken={took} />}
      {session?.application?.state === expertStates.rejected && (
        <Notice tone="danger">上次申请被驳回：{session.application.opinion}。请修改后重新提交。</Notice>
      )}
      {shared && isOpen && step === 2 && <PersonStep {...shared} />}
      {shared && isOpen && step === 3 && <CareerStep {...shared} />}
      {shared && isOpen && step === 4 && <PapersStep {...shared} />}
      {shared && isOpen && step === 5 && <SubmitStep {...shared} onSaved={took} />}
    </main>
  )
}

function Terms({ onAgreed }: { onAgreed: () => void }) {
  const [agreed, setAgreed] = useState(false)
  return (
    <section>
      <h2>入库条件</h2>
      <ul>
        <li>高级及以上职称，满足专家库规定的专业工作年限和年龄上限</li>
        <li>所在单位推荐，本人承诺公正、保密、主动回避</li>
        <li>每人申报 1 至 3 个专业，聘期 3 年，可续聘</li>
      </ul>
      <h2>信息怎样使用</h2>
      <ul>
        <li>证件号、手机加密保存，只用于审核、抽取通知和签到，查看须写明事由并留痕</li>
        <li>未提交的内容按手机号保存 30 天，换设备或刷新后验证手机即可继续</li>
        <li>入库后姓名、单位、职称和专业供本地区监管机构、企业和项目查阅</li>
        <li>附件不对外公开</li>
      </ul>
      <Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)}>
        我已阅读并同意以上约定，承诺所填内容真实
      </Checkbox>
      <Button type="primary" size="large" block disabled={!agreed} onClick={onAgreed}>
        开始申请
      </Button>
      <Button size="large" block disabled={!agreed} onClick={onAgreed}>
        查询进度
      </Button>
      <p className="note">
        两者都先验证手机：验证码 {applyCodeMinutes} 分钟内有效，验证后 {ticketHours} 小时内可填写。
      </p>
    </section>
  )
}

const tones: Readonly<Record<string, Tone>> = { 1: 'warning', 2: 'fine', 4: 'warning' }

function State({ session, onTaken }: { session: Session; onTaken: (answer: Answer) => void }) {
  const { busy, faults, send } = useSending()
  const { application, ticket } = session
  if (!application) return null
  const withdraw = async () => {
    const sure = await confirmDanger({ thing: '撤回申请', consequence: '撤回后可修改并重新提交。', verb: '撤回', keep: '不撤回' })
    if (!sure) return
    const answer = await send(() => call(applyExpert, { body: { step: 'withdraw', ticket } }))
    if (answer) onTaken(answer)
  }
  return (
    <section>
      <h2>
        申请进度 <Tag tone={tones[application.state] ?? 'neutral'}>{application.stateName}</Tag>
      </h2>
      <Pairs
        items={[
          { label: '专家库', value: application.libraryName },
          { label: '提交时间', value: application.submitTime?.slice(0, 16) },
          { label: '聘期止', value: application.validEnd },
        ]}
      />
      {application.state === expertStates.waiting && (
        <>
          <p className="note">一般 10 个工作日内审核，结果可随时在本页查询。</p>
          <Button size="large" loading={busy} onClick={() => void withdraw()}>
            撤回申请
          </Button>
        </>
      )}
      {faults[''] && <Notice tone="danger">{faults['']}</Notice>}
    </section>
  )
}
