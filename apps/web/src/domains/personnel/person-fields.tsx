import { consentWays, signedByHand } from '@zhugong/contract/personnel/identity-model'
import { consentKinds } from '@zhugong/contract/personnel/rules'
import { registerWorker, updateWorker } from '@zhugong/contract/personnel/workers'
import { Button, Input, Segmented, Select } from 'antd'
import { useState } from 'react'
import { showFailure } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { DependentFields } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, storeFile, Upload } from '#kit/inputs.tsx'
import { SignaturePad, signatureFile } from '#kit/signature-pad.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { formalOnly } from './formal-field.tsx'

const { Field, useValue } = formOf(registerWorker, updateWorker)

/** Fields shared by registration and edit. */
const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]
const thereOrNot = [
  { value: 'true', label: '有' },
  { value: 'false', label: '无' },
]
/** Yes or no, initially unanswered. */
function YesNo({
  value,
  onChange,
  id,
  options = yesNo,
}: {
  value?: boolean | null
  onChange?: (value: boolean | undefined) => void
  id?: string
  options?: { value: string; label: string }[]
}) {
  return (
    <Choice
      id={id || undefined}
      options={options}
      value={value === undefined || value === null ? null : String(value)}
      onChange={(next) => onChange?.(next === undefined ? undefined : next === 'true')}
    />
  )
}

export function PaperFields({ kept }: { kept?: string | null | undefined }) {
  const dicts = useDicts('nation')
  return (
    <>
      <Field name="nation" label="民族" extra={formalOnly}>
        <Choice options={dicts.options('nation')} />
      </Field>
      <Field name="grantOrg" label="发证机关" extra={formalOnly}>
        <Input maxLength={50} />
      </Field>
      <Field name="startDate" label="证件有效期起" extra={formalOnly}>
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="expiryDate" label="证件有效期止" extra={formalOnly} help="长期填 2099-12-31">
        <DayInput />
      </Field>
      <Field name="address" label="住址" extra={formalOnly} span={2} help={kept ? `现为 ${kept}，不填则不变` : undefined}>
        <Input maxLength={200} />
      </Field>
    </>
  )
}

interface Kept {
  cellPhone: string | null
  urgentLinkManPhone: string | null
}
const unchanged = (mask: string | null | undefined) => (mask ? { help: `现为 ${mask}，不填则不变` } : {})
export function ContactFields({ kept }: { kept?: Kept | undefined }) {
  return (
    <>
      <Field name="cellPhone" label="手机" extra={formalOnly} {...unchanged(kept?.cellPhone)}>
        <Input maxLength={20} inputMode="tel" placeholder="11 位手机号" />
      </Field>
      <Field name="urgentLinkMan" label="紧急联系人" extra={formalOnly}>
        <Input maxLength={50} />
      </Field>
      <Field name="urgentLinkManPhone" label="紧急联系电话" extra={formalOnly} {...unchanged(kept?.urgentLinkManPhone)}>
        <Input maxLength={20} inputMode="tel" placeholder="联系人自己的号码" />
      </Field>
    </>
  )
}

export function PersonFields() {
  const dicts = useDicts('education', 'politics', 'marriage', 'degree', 'workerType', 'certLevel')
  const joined = useValue('isJoined')
  return (
    <>
      <Field name="cultureLevel" label="文化程度" extra={formalOnly}>
        <Choice options={dicts.options('education')} />
      </Field>
      <Field name="workTypeCode" label="当前工种" extra={formalOnly}>
        <Choice options={dicts.options('workerType')} />
      </Field>
      <Field name="skillLevel" label="技能等级">
        <Choice options={dicts.options('certLevel')} />
      </Field>
      <Field name="hasBadMedicalHistory" label="有无重大病史" extra={formalOnly}>
        <YesNo options={thereOrNot} />
      </Field>
      <Field name="politics" label="政治面貌">
        <Choice options={dicts.options('politics')} />
      </Field>
      <Field name="maritalStatus" label="婚姻状况">
        <Choice options={dicts.options('marriage')} />
      </Field>
      <Field name="workDate" label="开始从业日期">
        <DayInput max={day(Date.now() - 86_400_000)} />
      </Field>
      <Field name="workCorpName" label="当前聘用企业">
        <Input maxLength={200} />
      </Field>
      <Field name="isJoined" label="是否加入工会">
        <YesNo />
      </Field>
      {joined === true && (
        <DependentFields why="已加入工会，填写加入时间。改为否，这一项收起。">
          <Field name="joinedTime" label="加入工会时间" required>
            <DayInput max={day(Date.now())} />
          </Field>
        </DependentFields>
      )}
      <Field name="specialty" label="特长" span={2}>
        <Input maxLength={200} />
      </Field>
    </>
  )
}

interface Consent {
  kind: string
  state: string
  way?: string
  version?: string
  time?: string
  /** URL of the signature. */
  file?: string | null
}

/** Consent, one row per purpose. A refusal is not styled as an error and names the alternative way in. */
function ConsentControl({ value, onChange }: { value?: Consent[]; onChange?: (value: Consent[]) => void }) {
  const given = value ?? []
  const set = (kind: string, change: Partial<Consent>) => {
    const old = given.find((c) => c.kind === kind)
    onChange?.([...given.filter((c) => c.kind !== kind), { kind, state: '同意', way: '纸质', ...old, ...change }])
  }
  const withdraw = (kind: string) => onChange?.(given.filter((c) => c.kind !== kind))
  return (
    <div className="per-consent">
      {Object.entries(consentKinds).map(([kind, name]) => {
        const own = given.find((c) => c.kind === kind)
        const options = own?.time ? ['同意', '已撤回', '不同意'] : ['待签', '同意', '不同意']
        return (
          <div key={kind}>
            <div>
              <div>{name}</div>
              <div className="zg-2 zg-small">
                {own?.state && own.state !== '同意'
                  ? kind === 'face'
                    ? '改用实名卡或胸牌二维码入场，不影响进场'
                    : '须书面告知后再登记'
                  : own?.time || '本人逐项选择'}
              </div>
            </div>
            <div className="zg-row">
              {own && (
                <Select
                  size="small"
                  aria-label={`${name}签署方式`}
                  value={own.way ?? '纸质'}
                  options={consentWays.map((way) => ({ value: way, label: way }))}
                  onChange={(way) => set(kind, { way })}
                />
              )}
              <Segmented
                size="small"
                options={options}
                value={own?.state ?? '待签'}
                onChange={(state) => (state === '待签' ? withdraw(kind) : set(kind, { state: String(state) }))}
              />
            </div>
            {own?.way === signedByHand && own.state === '同意' && (
              <Signature name={name} file={own.file} onSigned={(file) => set(kind, { file })} />
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Signature drawn on the screen by the person concerned; stored with the consent. */
function Signature({
  name,
  file,
  onSigned,
}: {
  name: string
  file: string | null | undefined
  onSigned: (address: string | null) => void
}) {
  const [drawn, setDrawn] = useState<string>()
  const [sending, setSending] = useState(false)
  if (file)
    return (
      <div className="zg-row">
        <Thumb src={file} name={`${name}签名`} width={120} height={45} />
        <button type="button" className="zg-bare zg-link" onClick={() => onSigned(null)}>
          重新签名
        </button>
      </div>
    )
  const keep = async () => {
    if (!drawn) return
    setSending(true)
    try {
      onSigned(await storeFile(signatureFile(`${name}签名`, drawn)))
    } catch (error) {
      showFailure(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <div className="per-sign">
      <SignaturePad onChange={setDrawn} />
      <Button size="small" type="primary" disabled={!drawn} loading={sending} onClick={() => void keep()}>
        确认签名
      </Button>
    </div>
  )
}

export function ConsentFields() {
  const consents = useValue('consents')
  const face = consents?.some((c) => c.kind === 'face' && c.state === '同意')
  return (
    <>
      <Field name="consents" span="all">
        <ConsentControl />
      </Field>
      <Field name="headImage" label="证件头像" extra={formalOnly}>
        <Upload max={1} maxMb={10} camera="user" />
      </Field>
      <Field name="positiveIdCardImage" label="证件正面">
        <Upload max={1} maxMb={10} camera="environment" />
      </Field>
      <Field name="negativeIdCardImage" label="证件反面">
        <Upload max={1} maxMb={10} camera="environment" />
      </Field>
      {face && (
        <Field name="facePhoto" label="现场照片" help="单人正脸，用于门禁">
          <Upload max={1} maxMb={10} camera="user" />
        </Field>
      )}
    </>
  )
}
