import { CheckCircleFilled } from '@ant-design/icons'
import { ageOn, birthdayOfIdCard, checkIdCard, genderOfIdCard, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { workRoles } from '@zhugong/contract/labour/codes'
import { enterWorker } from '@zhugong/contract/labour/stays'
import { fixedTerm, isPaidByOutput, residentId } from '@zhugong/contract/personnel/codes'
import { licencesFor } from '@zhugong/contract/personnel/rules'
import type { WorkerDetail } from '@zhugong/contract/personnel/worker-model'
import { fillWorker, registerWorker, syncWorker, updateWorker, workerForm } from '@zhugong/contract/personnel/workers'
import { Button, Checkbox, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { type BodyOf, DependentFields, Field, FieldGroup, FormPage, useFieldValue, useFormInstance } from '#kit/form.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput, MoneyInput, NumberInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { PasteBox } from './paste-box.tsx'
import { ConsentFields, ContactFields, PaperFields, PersonFields } from './person-fields.tsx'
import type { ReadPerson } from './reader-text.ts'
import { genderWord } from './words.tsx'
import './personnel.css'

type Body = BodyOf<typeof registerWorker>
/** What stays for the next person. */
type Pinned = Partial<NonNullable<Body['stay']>>
interface Seen {
  name?: string | undefined
  number?: string | undefined
  nation?: string | undefined
  address?: string | undefined
}

/** Registers a person, or edits a known one with `?id=`. `?mode=file` opens the file alone, without a stay. */
export default function WorkerFormPage() {
  const query = usePageQuery()
  const id = query.get('id')
  const projectCode = useProjectCode()
  if (id) return <EditForm id={id} />
  if (query.get('mode') !== 'file' && projectCode === '*') return <ProjectPicker why="登记的人员进入哪个项目" />
  return <Queue withStay={query.get('mode') !== 'file'} />
}

/** One person after another: each gets a fresh form with the pinned values. */
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
  const act = useAct(registerWorker, {
    success: (r) => (r.missing.length ? `已登记，转正式还差 ${r.missing.join('、')}` : '已登记，进场条件已齐'),
    onDone: (r) => {
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
      schema={registerWorker.schemas.body}
      title={withStay ? '登记人员' : '新建档案'}
      remark={withStay ? form.data?.projectName : '人员 / 档案'}
      loading={form.isPending}
      initial={{
        idCardType: '01',
        consents: [],
        ...(withStay
          ? {
              stay: {
                projectCode,
                workRole: '20',
                entryTime: today,
                paymentType: '1',
                ...(form.data?.corps.length === 1 ? { corpCode: form.data.corps[0]?.corpCode } : {}),
                ...pinned,
              },
            }
          : {}),
      }}
      input={(values: Body) => {
        const { stay } = values
        sent.current = stay
          ? {
              corpCode: stay.corpCode,
              teamId: stay.teamId,
              workRole: stay.workRole,
              workType: stay.workType,
              post: stay.post,
              entryTime: stay.entryTime,
              paymentType: stay.paymentType,
              hasBuyInsurance: stay.hasBuyInsurance ?? false,
            }
          : {}
        return { body: { ...values, fromCard } }
      }}
      saveText={withStay ? '保存登记' : '保存档案'}
      barActions={
        withStay && (
          <Checkbox defaultChecked onChange={(event) => (next.current = event.target.checked)}>
            保存后录入下一人
          </Checkbox>
        )
      }
      barRemark={first ? '先存为预登记，照片、合同、工资卡可以后补' : '单位、班组、工种、进场日期已带到这一人'}
      aside={
        <div style={{ display: 'grid', gap: 12 }}>
          <IdentityAside seen={seen} fromCard={fromCard} setFromCard={setFromCard} />
          {withStay && (
            <Card title="今日已录" remark={`${form.data?.today.length ?? 0} 人`} flush>
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
                      <span className="tone-fine">已齐，可转正式</span>
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
      {withStay && <StayGroup corps={form.data?.corps ?? []} teams={form.data?.teams ?? []} />}
      {withStay && <AccountGroup />}
      {withStay && <ContractGroup />}
      <FieldGroup title="个人" remark="转正式前补齐">
        <PersonFields />
      </FieldGroup>
      <FieldGroup title="照片与同意">
        <ConsentFields />
      </FieldGroup>
    </FormPage>
  )
}

/** Tells the panel at the right what is typed. */
function Watch({ onChange }: { onChange: (seen: Seen) => void }) {
  const name = useFieldValue<string>('name')
  const number = useFieldValue<string>('idCardNumber')
  const nation = useFieldValue<string>('nation')
  const address = useFieldValue<string>('address')
  useEffect(() => onChange({ name, number, nation, address }), [name, number, nation, address, onChange])
  return null
}

/** The card as it reads, so that a wrong digit is seen beside the name. */
function IdentityAside({ seen, fromCard, setFromCard }: { seen: Seen; fromCard: boolean; setFromCard: (on: boolean) => void }) {
  const dicts = useDicts('nation')
  const number = normalizeIdCard(seen.number ?? '')
  const fine = number.length === 18 && checkIdCard(number) === undefined
  const birthday = fine ? birthdayOfIdCard(number) : undefined
  return (
    <Card title="证件" remark={fine ? '号码校验通过' : '待输入号码'} flush>
      <div className="per-card">
        <dl>
          <dt>姓名</dt>
          <dd>{seen.name || '--'}</dd>
          <dt>性别</dt>
          <dd>{fine ? genderWord(genderOfIdCard(number) ?? '') : '--'}</dd>
          <dt>民族</dt>
          <dd>{dicts.name('nation', seen.nation) || '--'}</dd>
          <dt>出生</dt>
          <dd>{birthday ? `${birthday}（${ageOn(birthday, day(Date.now()))} 岁）` : '--'}</dd>
          <dt>住址</dt>
          <dd>{seen.address || '--'}</dd>
        </dl>
        <div className="number zg-num">{number || '公民身份号码'}</div>
      </div>
      <div style={{ padding: '0 12px 12px' }}>
        <Checkbox checked={fromCard} onChange={(event) => setFromCard(event.target.checked)}>
          已当面核对身份证原件，人证一致
        </Checkbox>
        <div className="zg-2" style={{ fontSize: 12, paddingLeft: 24 }}>
          未接入外部核验服务；勾选后实名核验记为一致
        </div>
      </div>
    </Card>
  )
}

function IdentityGroup({ withStay }: { withStay: boolean }) {
  const dicts = useDicts('idCardType', 'gender', 'nation')
  const form = useFormInstance()
  const page = usePage()
  const projectCode = useProjectCode()
  const type = useFieldValue<string>('idCardType')
  const number = normalizeIdCard(useFieldValue<string>('idCardNumber') ?? '')
  const name = useFieldValue<string>('name')
  const complete = type === residentId ? number.length === 18 && checkIdCard(number) === undefined : number.length >= 5
  const known = useCall(
    syncWorker,
    { body: { idCardType: type ?? '01', idCardNumber: number, name: name && name.length > 1 ? name : undefined } },
    { enabled: complete, quiet: true, staleMs: 10_000 },
  )
  const enter = useAct(enterWorker, {
    success: '已办理进场',
    onDone: (r) => page.leave(hrefOf('/personListDetails', { id: r.id, workerId: r.workerId })),
  })
  const takeOver = () => {
    const stay = form.getFieldValue('stay') as NonNullable<Body['stay']>
    return enter.run({ body: { ...stay, idCardType: type ?? '01', idCardNumber: number, name: found?.name ?? name ?? '' } })
  }
  /** What a reader or a message told; what was typed before gives way to it. */
  const fill = ({ nation, ...read }: ReadPerson) => {
    if (read.idCardNumber) form.setFieldValue(['idCardType'], residentId)
    for (const [field, value] of Object.entries(read)) form.setFieldValue([field], value)
    const code = nation && dicts.items('nation').find((n) => n.code === nation || n.name.replace(/族$/, '') === nation)?.code
    if (code) form.setFieldValue(['nation'], code)
  }
  const found = complete ? known.data : undefined
  const mayReturn = withStay && found?.known === 'own' && !found.onSite.some((p) => p.projectCode === projectCode)
  return (
    <FieldGroup title="身份" remark="姓名和号码必填，其余转正式前补齐">
      {found?.known === 'own' && !mayReturn && (
        <div className="zg-span-all" style={{ marginBottom: 12 }}>
          <Notice tone="warning" actions={<Link to={hrefOf('/personListEdit', { id: found.workerId ?? '' })}>打开档案</Link>}>
            该号码已登记：{found.name}
            {found.onSite.length > 0 && `，现在 ${found.onSite.map((p) => p.projectName).join('、')} 在场`}
          </Notice>
        </div>
      )}
      {(found?.known === 'other' || mayReturn) && withStay && (
        <div className="zg-span-all" style={{ marginBottom: 12 }}>
          <Notice
            tone="info"
            actions={
              <Button size="small" loading={enter.running} onClick={() => void takeOver()}>
                沿用档案办理进场
              </Button>
            }
          >
            {mayReturn ? `${found?.name ?? ''}已有档案、现不在本项目` : '平台已有此人的档案'}，填好“进场”后可直接办理进场，不必重录
          </Notice>
        </div>
      )}
      {found?.warnings.map((w) => (
        <div key={w} className="zg-span-all" style={{ marginBottom: 12 }}>
          <Notice tone="danger">{w}</Notice>
        </div>
      ))}
      <div className="zg-span-all" style={{ marginBottom: 12 }}>
        <PasteBox onRead={fill} />
      </div>
      <Field name="name" label="姓名" required>
        <Input autoFocus maxLength={50} placeholder="少数民族间隔号写作 ·" />
      </Field>
      <Field name="idCardType" label="证件类型">
        <Choice clear={false} options={dicts.options('idCardType')} />
      </Field>
      <Field
        name="idCardNumber"
        label="证件号码"
        required
        {...(found?.known === 'none' && complete
          ? {
              help: (
                <span className="tone-fine">
                  <CheckCircleFilled /> 号码未登记过{found.birthPlaceName ? `，籍贯 ${found.birthPlaceName}` : ''}
                </span>
              ),
            }
          : {})}
      >
        <Input maxLength={30} placeholder="18 位，末位可为 X" />
      </Field>
      {type !== residentId && (
        <DependentFields why={`证件类型选了“${dicts.name('idCardType', type)}”，号码里没有性别和出生日期，需要填写。`}>
          <Field name="gender" label="性别" required>
            <Choice options={dicts.options('gender')} />
          </Field>
          <Field name="birthday" label="出生日期" required>
            <DayInput max={day(Date.now())} />
          </Field>
        </DependentFields>
      )}
      <PaperFields />
    </FieldGroup>
  )
}

function StayGroup({
  corps,
  teams,
}: {
  corps: readonly { corpCode: string; corpName: string }[]
  teams: readonly { id: string; teamName: string; corpCode: string; workType: string }[]
}) {
  const dicts = useDicts('workerType', 'managerPost', 'paymentType', 'specialCertType')
  const form = useFormInstance()
  const corpCode = useFieldValue<string>('stay.corpCode')
  const teamId = useFieldValue<string>('stay.teamId')
  const role = useFieldValue<string>('stay.workRole')
  const workType = useFieldValue<string>('stay.workType')
  const posts = dicts.tree('managerPost').flatMap((g) => (g.children ?? []).map((p) => ({ value: p.value, label: p.label })))
  const shown = teams.filter((t) => t.corpCode === corpCode)
  // A team of another unit cannot stay chosen; a team's trade is most people's trade.
  useEffect(() => {
    if (teamId && !teams.some((t) => t.id === teamId && t.corpCode === corpCode)) form.setFieldValue(['stay', 'teamId'], undefined)
  }, [corpCode, teamId, teams, form])
  useEffect(() => {
    const trade = teams.find((t) => t.id === teamId)?.workType
    if (trade && !form.getFieldValue(['stay', 'workType'])) form.setFieldValue(['stay', 'workType'], trade)
  }, [teamId, teams, form])
  return (
    <FieldGroup title="进场" remark="带到下一人">
      <Field name="stay.workRole" label="人员类型">
        <Choice
          clear={false}
          options={[
            { value: '20', label: '建筑工人' },
            { value: '10', label: '管理人员' },
          ]}
        />
      </Field>
      <Field name="stay.corpCode" label="单位" required>
        <Choice
          options={corps.map((c) => ({ value: c.corpCode, label: c.corpName }))}
          placeholder={corps.length ? '在场的参建单位' : '尚无单位进场'}
        />
      </Field>
      {role === workRoles.manager ? (
        <Field name="stay.post" label="岗位" required>
          <Choice options={posts} />
        </Field>
      ) : (
        <>
          <Field name="stay.teamId" label="班组" required>
            <Choice
              options={shown.map((t) => ({ value: t.id, label: t.teamName }))}
              placeholder={corpCode ? (shown.length ? '选择班组' : '该单位尚无班组进场') : '先选单位'}
            />
          </Field>
          <Field name="stay.workType" label="工种" required>
            <Choice options={dicts.options('workerType')} />
          </Field>
          {licencesFor(workType).length > 0 && (
            <LicenceFields
              workType={workType ?? ''}
              tradeName={dicts.name('workerType', workType)}
              kinds={dicts.items('specialCertType')}
            />
          )}
        </>
      )}
      <Field name="stay.entryTime" label="进场日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="stay.paymentType" label="计酬方式">
        <Choice options={dicts.options('paymentType')} />
      </Field>
      <Field name="stay.unitPriceCents" label="工价">
        <MoneyInput />
      </Field>
      <Field name="stay.cardNumber" label="考勤卡号">
        <Input maxLength={30} />
      </Field>
      <Field name="stay.hasBuyInsurance" valueName="checked">
        <Checkbox>已参加工伤或意外险</Checkbox>
      </Field>
      {role !== workRoles.manager && (
        <Field name="stay.isTeamLeader" valueName="checked">
          <Checkbox>任本班组班组长</Checkbox>
        </Field>
      )}
    </FieldGroup>
  )
}

/** What a special trade opens. Its values go with the choice that opened it. */
function LicenceFields({
  workType,
  tradeName,
  kinds,
}: {
  workType: string
  tradeName: string
  kinds: readonly { code: string; name: string; parent?: string | undefined }[]
}) {
  const form = useFormInstance()
  const [later, setLater] = useState(false)
  const [wanted] = licencesFor(workType)
  useEffect(() => {
    if (later) form.setFieldValue(['cert'], undefined)
    else {
      const kind = kinds.find((k) => k.code === wanted)
      form.setFieldValue(['cert'], {
        ...(form.getFieldValue(['cert']) as object | undefined),
        certType: '7',
        specialType: wanted,
        name: kind?.name ?? tradeName,
      })
    }
  }, [later, wanted, kinds, tradeName, form])
  useEffect(() => () => form.setFieldValue(['cert'], undefined), [form])
  return (
    <DependentFields
      why={
        <>
          工种选了“{tradeName}”，需要特种作业证。改选其他工种，这几项收起。{' '}
          <button type="button" className="zg-bare zg-link" onClick={() => setLater(!later)}>
            {later ? '现在录入' : '证书稍后补'}
          </button>
        </>
      }
    >
      {!later && (
        <>
          <Field name="cert.certNo" label="特种作业证号" required>
            <Input autoFocus maxLength={50} />
          </Field>
          <Field name="cert.issueDate" label="发证日期" required>
            <DayInput max={day(Date.now())} />
          </Field>
          <Field name="cert.validEnd" label="有效期至" help="不填为发证日起两年">
            <DayInput />
          </Field>
          <Field name="cert.grantOrg" label="发证机关" required>
            <Input maxLength={100} />
          </Field>
          <Field name="cert.files" label="证书照片" span={2}>
            <Upload max={4} />
          </Field>
        </>
      )}
    </DependentFields>
  )
}

function AccountGroup() {
  const dicts = useDicts('bankCode')
  const number = useFieldValue<string>('stay.payRollBankCardNumber')
  return (
    <FieldGroup title="工资卡" remark="可稍后补，转正式前必填">
      <Field name="stay.payRollBankCardNumber" label="卡号" help="本人银行卡，户名须与姓名相同">
        <Input maxLength={23} placeholder="16–19 位" />
      </Field>
      <Field name="stay.payRollBankCode" label="银行" required={Boolean(number)}>
        <Choice options={dicts.options('bankCode')} />
      </Field>
      <Field name="stay.payRollBankName" label="开户行" required={Boolean(number)}>
        <Input maxLength={50} />
      </Field>
      <Field name="stay.bankLinkNumber" label="联行号">
        <Input maxLength={12} />
      </Field>
    </FieldGroup>
  )
}

function ContractGroup() {
  const dicts = useDicts('contractKind', 'contractType', 'workUnit')
  const form = useFormInstance()
  const [open, setOpen] = useState(false)
  const period = useFieldValue<string>('contract.contractPeriodType')
  const payment = useFieldValue<string>('contract.paymentType')
  const toggle = () => {
    const entry = form.getFieldValue(['stay', 'entryTime']) as string
    form.setFieldValue(
      ['contract'],
      open
        ? undefined
        : {
            contractKind: '1',
            contractPeriodType: '1',
            startDate: entry,
            signDate: day(Date.now()),
            paymentType: (form.getFieldValue(['stay', 'paymentType']) as string) ?? '1',
            payDay: 15,
            signMode: '1',
          },
    )
    setOpen(!open)
  }
  return (
    <FieldGroup
      title="合同"
      remark="用工之日起一个月内签订"
      actions={
        <button type="button" className="zg-bare zg-link" onClick={toggle}>
          {open ? '稍后录入' : '现在录入'}
        </button>
      }
    >
      {open ? (
        <>
          <Field name="contract.contractCode" label="合同编号" required>
            <Input maxLength={50} />
          </Field>
          <Field name="contract.contractKind" label="合同类别" required>
            <Choice options={dicts.options('contractKind')} />
          </Field>
          <Field name="contract.contractPeriodType" label="期限类型" required>
            <Choice options={dicts.options('contractType')} />
          </Field>
          <Field name="contract.startDate" label="开始日期" required>
            <DayInput />
          </Field>
          {period === fixedTerm && (
            <Field name="contract.endDate" label="结束日期" required>
              <DayInput />
            </Field>
          )}
          {isPaidByOutput(payment) ? (
            <>
              <Field name="contract.unit" label="计量单位" required>
                <Choice options={dicts.options('workUnit')} />
              </Field>
              <Field name="contract.unitPrice" label="单价" required>
                <MoneyInput />
              </Field>
            </>
          ) : (
            <Field name="contract.salary" label="工资标准" required={['1', '2', '3'].includes(payment ?? '')}>
              <MoneyInput />
            </Field>
          )}
          <Field name="contract.payDay" label="约定发薪日" required>
            <NumberInput min={1} max={28} unit="日" />
          </Field>
          <Field name="contract.signDate" label="签订日期" required>
            <DayInput max={day(Date.now())} />
          </Field>
          <Field name="contract.files" label="合同附件" span="all">
            <Upload max={6} accept="image/*,application/pdf" />
          </Field>
        </>
      ) : (
        <div className="zg-2 zg-span-all" style={{ paddingBottom: 12 }}>
          未录入合同的人员为预登记，不能转正式。
        </div>
      )}
    </FieldGroup>
  )
}

/** A known person's file. Identity itself is corrected in the file, with a reason. */
function EditForm({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(fillWorker, { params: { id } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateWorker, { onDone: () => page.leave() })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const w = read.data
  return (
    <FormPage
      act={act}
      schema={updateWorker.schemas.body}
      title={w ? `编辑 ${w.name}` : '编辑人员'}
      loading={!w}
      initial={w ? initialOf(w) : {}}
      input={(body) => ({ params: { id }, body })}
      aside={
        w && (
          <Card
            title="身份"
            remark="更正须写明事由"
            actions={<Link to={hrefOf('/personnelSystem/info/basic', { id })}>更正身份</Link>}
            flush
          >
            <dl className="per-lines" style={{ paddingTop: 8 }}>
              <div>
                <dt>姓名</dt>
                <dd>{w.name}</dd>
              </div>
              <div>
                <dt>证件号码</dt>
                <dd className="zg-num">{w.idCardNumber}</dd>
              </div>
              <div>
                <dt>性别出生</dt>
                <dd>
                  {w.genderName} {w.birthday}
                </dd>
              </div>
              <div>
                <dt>籍贯</dt>
                <dd>{w.birthPlaceName ?? '--'}</dd>
              </div>
            </dl>
            {w.incomplete.length > 0 && (
              <div style={{ padding: '0 12px 12px' }} className="tone-warning">
                待完善：{w.incomplete.join('、')}
              </div>
            )}
          </Card>
        )
      }
    >
      <FieldGroup title="证件" remark="遮盖的内容不填则保持不变">
        <PaperFields kept={w?.address} />
      </FieldGroup>
      <FieldGroup title="联系与紧急联系">
        <ContactFields kept={w} />
      </FieldGroup>
      <FieldGroup title="个人">
        <PersonFields />
      </FieldGroup>
      <FieldGroup title="照片与同意">
        <ConsentFields />
      </FieldGroup>
    </FormPage>
  )
}

/** Sealed fields stay empty: what is not typed is not changed. */
function initialOf(w: WorkerDetail): Record<string, unknown> {
  const own = [
    'nation',
    'grantOrg',
    'startDate',
    'expiryDate',
    'politics',
    'cultureLevel',
    'degree',
    'maritalStatus',
    'isJoined',
    'joinedTime',
    'specialty',
    'workTypeCode',
    'workCorpName',
    'workDate',
    'skillLevel',
    'urgentLinkMan',
    'hasBadMedicalHistory',
    'version',
  ] as const
  return {
    ...Object.fromEntries(own.map((key) => [key, w[key]])),
    ...(w.headImage ? { headImage: [w.headImage] } : {}),
    ...(w.facePhoto ? { facePhoto: [w.facePhoto] } : {}),
    consents: w.consents,
  }
}
