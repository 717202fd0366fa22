import { CheckCircleFilled } from '@ant-design/icons'
import { ageOn, birthdayOfIdCard, checkIdCard, genderOfIdCard, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { enterWorker } from '@zhugong/contract/labour/stays'
import { residentId } from '@zhugong/contract/personnel/codes'
import { registerWorker, syncWorker } from '@zhugong/contract/personnel/workers'
import { Button, Checkbox, Input } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { DependentFields, FieldGroup, useFormInstance } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage } from '#kit/page.tsx'
import { PasteBox } from './paste-box.tsx'
import { PaperFields } from './person-fields.tsx'
import type { ReadPerson } from './reader-text.ts'
import { genderWord } from './words.tsx'
import type { Body } from './worker-body.ts'

const { Field, useValue } = formOf(registerWorker)

export interface Seen {
  name?: string | null | undefined
  number?: string | null | undefined
  nation?: string | null | undefined
  address?: string | null | undefined
}

/** Decoded ID number and card values, so that a wrong digit is noticed. */
export function IdentityAside({ seen, fromCard, setFromCard }: { seen: Seen; fromCard: boolean; setFromCard: (on: boolean) => void }) {
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
      <div className="zg-pad-below">
        <Checkbox checked={fromCard} onChange={(event) => setFromCard(event.target.checked)}>
          已当面核对身份证原件，人证一致
        </Checkbox>
        <div className="zg-2 zg-small per-under-box">未接入外部核验服务；勾选后实名核验记为一致</div>
      </div>
    </Card>
  )
}

export function IdentityGroup({ withStay }: { withStay: boolean }) {
  const dicts = useDicts('idCardType', 'gender', 'nation')
  const form = useFormInstance()
  const page = usePage()
  const projectCode = useProjectCode()
  const type = useValue('idCardType')
  const number = normalizeIdCard(useValue('idCardNumber') ?? '')
  const name = useValue('name')
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
  /** Fills in what a reader or a message provided, replacing typed values. */
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
        <div className="zg-span-all zg-below-12">
          <Notice tone="warning" actions={<Link to={hrefOf('/personListEdit', { id: found.workerId ?? '' })}>打开档案</Link>}>
            该号码已登记：{found.name}
            {found.onSite.length > 0 && `，现在 ${found.onSite.map((p) => p.projectName).join('、')} 在场`}
          </Notice>
        </div>
      )}
      {(found?.known === 'other' || mayReturn) && withStay && (
        <div className="zg-span-all zg-below-12">
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
        <div key={w} className="zg-span-all zg-below-12">
          <Notice tone="danger">{w}</Notice>
        </div>
      ))}
      <div className="zg-span-all zg-below-12">
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
        help={
          found?.known === 'none' && complete ? (
            <span className="tone-fine">
              <CheckCircleFilled /> 号码未登记过{found.birthPlaceName ? `，籍贯 ${found.birthPlaceName}` : ''}
            </span>
          ) : undefined
        }
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
