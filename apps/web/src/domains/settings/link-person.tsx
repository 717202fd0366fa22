import { linkMyPerson, proveMyPerson } from '@zhugong/contract/settings/my-person'
import { Button, Input } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Empty, Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'

const { Field, useValue } = formOf(linkMyPerson, proveMyPerson)

/** Seconds before another code can be requested. */
const betweenCodes = 60

/** Employers know ID number and phone, so linking requires a pass at the site's gate and, if SMS is configured, a code to the phone. */
function Proof() {
  const idCardNumber = useValue('idCardNumber') ?? ''
  const cellPhone = useValue('cellPhone') ?? ''
  const password = useValue('password') ?? ''
  const [proof, setProof] = useState<{ way: 'phone' | 'gate'; minutes: number }>()
  const [waits, setWaits] = useState(0)
  const ask = useAct(proveMyPerson, {
    success: (sent) => (sent.way === 'phone' ? '验证码已发送到档案登记的手机号' : '请在规定时间内到闸机通行'),
    refreshes: [],
    onDone: (sent) => {
      setProof(sent)
      setWaits(betweenCodes)
    },
  })
  useEffect(() => {
    if (waits === 0) return
    const timer = setTimeout(() => setWaits(waits - 1), 1000)
    return () => clearTimeout(timer)
  }, [waits])
  return (
    <>
      <Field
        name="code"
        label="验证码"
        span="all"
        required={proof?.way === 'phone'}
        help={proof?.way === 'gate' ? '无需填写' : '发送到档案登记的手机号，当天须已在项目闸机通行'}
        extra={
          <Button
            size="small"
            disabled={waits > 0 || !idCardNumber || !cellPhone || !password}
            loading={ask.running}
            onClick={() => void ask.run({ body: { idCardNumber, cellPhone, password } })}
          >
            {waits > 0 ? `${waits} 秒后可再次验证` : '验证本人'}
          </Button>
        }
      >
        <Input inputMode="numeric" autoComplete="one-time-code" maxLength={6} disabled={proof?.way !== 'phone'} />
      </Field>
      {proof?.way === 'gate' && (
        <Notice tone="info">本平台未接入短信：请在 {proof.minutes} 分钟内到所在项目的闸机刷脸通行一次，再点“关联”。</Notice>
      )}
    </>
  )
}

/** Links an account to a person's file. Name, ID number and phone must match; the name is the account's, which its owner cannot change. */
export function LinkPersonDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(linkMyPerson, { success: '已关联实名档案' })
  return (
    <FormDrawer
      open
      act={act}
      title="关联我的实名档案"
      remark="姓名以账号为准，须与档案一致"
      narrow
      width={440}
      onClose={onClose}
      saveText="关联"
    >
      <Field name="idCardNumber" label="证件号码" span="all" help="只用于核对，不另存">
        <Input autoComplete="off" />
      </Field>
      <Field name="cellPhone" label="档案登记的手机号" span="all">
        <Input autoComplete="off" maxLength={11} />
      </Field>
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
      <Proof />
    </FormDrawer>
  )
}

/** Placeholder for an account without a file: what the page would show, and a button to link one. */
export function NoPerson({ shows }: { shows: ReactNode }) {
  const [linking, setLinking] = useState(false)
  return (
    <>
      <Empty text="账号尚未关联实名档案" hint={shows}>
        <Button type="primary" onClick={() => setLinking(true)}>
          关联我的实名档案
        </Button>
      </Empty>
      {linking && <LinkPersonDrawer onClose={() => setLinking(false)} />}
    </>
  )
}
