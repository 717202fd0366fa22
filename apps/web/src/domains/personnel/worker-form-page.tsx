import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { registerWorker, setFormal, workerForm } from '@zhugong/contract/personnel/workers'
import { Checkbox } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { usePref } from '#kit/pref-state.ts'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { registeredWords } from './formal-words.ts'
import { ConsentFields, ContactFields, PersonFields } from './person-fields.tsx'
import { allPins, type Pin, type Pinned, pinnedOf, pinWords } from './pins.ts'
import type { Body } from './worker-body.ts'
import './personnel.css'
import { EditForm } from './worker-edit.tsx'
import { IdentityAside, IdentityGroup, type Seen } from './worker-identity.tsx'
import { AccountGroup, ContractGroup } from './worker-papers.tsx'
import { StayGroup } from './worker-stay.tsx'

/** Registers a person, or edits a known one (`?id=`). `?mode=file` creates only the file, without a stay. */
export default function WorkerFormPage() {
  const query = usePageQuery()
  const id = query.get('id')
  const projectCode = useProjectCode()
  if (id) return <EditForm id={id} />
  if (query.get('mode') !== 'file' && projectCode === '*') return <ProjectPicker why="登记的人员进入哪个项目" />
  return <Queue withStay={query.get('mode') !== 'file'} />
}

/** Registers people one after another: each gets a fresh form with the pinned values. */
function Queue({ withStay }: { withStay: boolean }) {
  const [pinned, setPinned] = useState<Pinned>({})
  const [round, setRound] = useState(0)
  return (
    <RegisterForm
      key={round}
      withStay={withStay}
      pinned={pinned}
      first={round === 0}
      onNext={(kept) => {
        setPinned(kept)
        setRound((n) => n + 1)
      }}
    />
  )
}

function RegisterForm({
  withStay,
  pinned,
  first,
  onNext,
}: {
  withStay: boolean
  pinned: Pinned
  first: boolean
  onNext: (kept: Pinned) => void
}) {
  const page = usePage()
  const projectCode = useProjectCode()
  const form = useCall(workerForm, { query: withStay ? { projectCode } : {} }, { quiet: true })
  const next = useRef(withStay)
  const [seen, setSeen] = useState<Seen>({})
  const [fromCard, setFromCard] = useState(false)
  const sent = useRef<Pinned>({})
  const [pins, setPins] = usePref<Pin[]>('worker-form-pins', allPins)
  const mayFormal = useCan(setFormal)
  const [formalAtOnce, setFormalAtOnce] = usePref('worker-form-formal', false)
  const formal = useAct(setFormal, {
    success: false,
    onDone: ({ failed: [refused] }) => (refused ? notify.warning(refused.message) : notify.success('已转正式')),
  })
  const act = useAct(registerWorker, {
    success: (r) => (r.projectWorkerId ? registeredWords(r) : '档案已建'),
    onDone: (r) => {
      if (r.projectWorkerId && r.missing.length + r.fields.length === 0 && formalAtOnce)
        void formal.run({ body: { ids: [r.projectWorkerId], status: formalStates.formal } })
      if (next.current) onNext(sent.current)
      else if (r.projectWorkerId) page.leave(hrefOf('/personListDetails', { id: r.projectWorkerId, workerId: r.workerId }))
      else page.leave(hrefOf('/personnelSystem/info/basic', { id: r.workerId }))
    },
  })
  const today = day(Date.now())
  if (form.error) return <ErrorPanel error={form.error} retry={form.refetch} />
  return (
    <FormPage
      act={act}
      title={withStay ? '登记人员' : '新建档案'}
      remark={withStay ? form.data?.projectName : '人员 / 档案'}
      loading={form.isPending}
      initial={{
        idCardType: '01',
        consents: [],
        stay: withStay
          ? {
              projectCode,
              workRole: '20',
              entryTime: today,
              paymentType: '1',
              corpCode: form.data?.corps.length === 1 ? form.data.corps[0]?.corpCode : undefined,
              ...pinned,
            }
          : undefined,
      }}
      input={(values: Body) => {
        const { stay } = values
        sent.current = stay ? pinnedOf(stay, pins) : {}
        return { body: { ...values, fromCard } }
      }}
      saveText={withStay ? '保存登记' : '保存档案'}
      barActions={
        withStay && (
          <>
            <Checkbox defaultChecked onChange={(event) => (next.current = event.target.checked)}>
              保存后录入下一人
            </Checkbox>
            {mayFormal && (
              <Checkbox checked={formalAtOnce} onChange={(event) => setFormalAtOnce(event.target.checked)}>
                条件已齐时转正式
              </Checkbox>
            )}
          </>
        )
      }
      barRemark={first || pins.length === 0 ? '先存为预登记，照片、合同、工资卡可以后补' : `${pinWords(pins)}已带到这一人`}
      aside={
        <div className="zg-stack-12">
          <IdentityAside seen={seen} fromCard={fromCard} setFromCard={setFromCard} />
          {withStay && form.data && <Unfinished {...form.data.unfinished} />}
          {withStay && (
            <Card title="今日已录" remark={form.data && `${form.data.todayTotal} 人`} flush>
              <ul className="per-today">
                {(form.data?.today ?? []).slice(0, 12).map((t) => (
                  <li key={t.id}>
                    <div>
                      <Link to={hrefOf('/personListDetails', { id: t.id, workerId: t.workerId })}>{t.name}</Link>
                      <span className="zg-2">{t.time}</span>
                    </div>
                    {t.missing.length ? (
                      <span className="tone-warning">缺{t.missing.join('、')}</span>
                    ) : (
                      <span className="zg-row">
                        <span className="tone-fine">{t.formal ? '已转正式' : '进场条件已齐'}</span>
                        {!t.formal && (
                          <Can call={setFormal}>
                            <button
                              type="button"
                              className="zg-bare zg-link"
                              disabled={formal.running}
                              onClick={() => void formal.run({ body: { ids: [t.id], status: formalStates.formal } })}
                            >
                              转正式
                            </button>
                          </Can>
                        )}
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      }
    >
      <Watch onChange={setSeen} />
      <IdentityGroup withStay={withStay} />
      <FieldGroup title="联系与紧急联系" remark="转正式前补齐">
        <ContactFields />
      </FieldGroup>
      {withStay && <StayGroup corps={form.data?.corps ?? []} teams={form.data?.teams ?? []} pins={pins} onPins={setPins} />}
      {withStay && <AccountGroup />}
      {withStay && <ContractGroup />}
      <FieldGroup title="个人" remark="转正式前补齐">
        <PersonFields />
      </FieldGroup>
      <FieldGroup title="照片与同意" remark="转正式前须同意个人信息处理">
        <ConsentFields />
      </FieldGroup>
    </FormPage>
  )
}

/** The user's own incomplete registrations, stored on the server, so that they can be completed later from any computer. */
function Unfinished({ total, list }: OutputFor<typeof workerForm>['unfinished']) {
  if (total === 0) return null
  return (
    <Card
      title="我的未完成登记"
      remark={`${total} 人`}
      actions={
        total > list.length && <Link to={hrefOf('/personList', { stationed: '1', formalStatus: formalStates.registered })}>全部预登记</Link>
      }
      flush
    >
      <ul className="per-today">
        {list.map((one) => (
          <li key={one.id}>
            <div>
              <Link to={hrefOf('/personListDetails', { id: one.id, workerId: one.workerId })}>{one.name}</Link>
              <span className="zg-2">{one.time}</span>
            </div>
            <div>
              {one.missing.length ? (
                <span className="tone-warning">缺{one.missing.join('、')}</span>
              ) : (
                <span className="tone-fine">进场条件已齐</span>
              )}
              <Link to={hrefOf('/personListEdit', { id: one.workerId })} aria-label={`继续填写 ${one.name}`}>
                继续填写
              </Link>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const { useValue } = formOf(registerWorker)

/** Passes form values to the panel on the right. */
function Watch({ onChange }: { onChange: (seen: Seen) => void }) {
  const name = useValue('name')
  const number = useValue('idCardNumber')
  const nation = useValue('nation')
  const address = useValue('address')
  useEffect(() => onChange({ name, number, nation, address }), [name, number, nation, address, onChange])
  return null
}
