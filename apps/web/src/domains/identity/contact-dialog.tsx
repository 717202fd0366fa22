import { changeMyContact, getMyContact, sendContactCode } from '@zhugong/contract/identity/endpoints'
import { Button, Input, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'

/** Seconds before another code can be requested. */
const betweenCodes = 60

/** 接收方式. Numbers stay masked even for their owner; they can only be replaced. */
export function ContactDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(getMyContact, undefined, { staleMs: 0 })
  const [phone, setPhone] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [waits, setWaits] = useState(0)
  const send = useAct(sendContactCode, { success: '验证码已发送到新手机号', refreshes: [], onDone: () => setWaits(betweenCodes) })
  useEffect(() => {
    if (waits === 0) return
    const timer = setTimeout(() => setWaits(waits - 1), 1000)
    return () => clearTimeout(timer)
  }, [waits])
  const act = useAct(changeMyContact, { success: '已保存', refreshes: [getMyContact], onDone: onClose })
  const field = (id: string, label: string, now: string | null | undefined, value: string, set: (text: string) => void, fault?: string) => (
    <div className="zg-below-16">
      <label htmlFor={id} className="zg-14">
        {label}
        <span className="zg-2"> {now ? `当前 ${now}` : '未登记'}</span>
      </label>
      <Input
        id={id}
        value={value}
        placeholder={now ? '不修改请留空' : `请输入${label}`}
        status={fault ? 'error' : undefined}
        onChange={(event) => set(event.target.value)}
      />
      {fault && <div className="tone-danger">{fault}</div>}
    </div>
  )
  const given = { phone: phone.trim() || undefined, email: email.trim() || undefined }
  const wrongPassword = act.fieldErrors.password ?? send.fieldErrors.password
  const needsCode = data?.codeNeeded === true && given.phone !== undefined
  const empty = given.phone === undefined && given.email === undefined
  return (
    <Modal
      open
      centered
      width={400}
      title="接收方式"
      mask={{ closable: false }}
      onCancel={onClose}
      okText="保存"
      okButtonProps={{ disabled: empty || password === '' || (needsCode && code === ''), loading: act.running }}
      onOk={() => void act.run({ body: { ...given, password, code: needsCode ? code.trim() : undefined } }, { fieldsShown: true })}
    >
      <p className="zg-2">告警、到期提醒按规则发送到这里；站内消息始终可见。</p>
      {field('my-phone', '手机号', data?.phoneMask, phone, setPhone, act.fieldErrors.phone ?? send.fieldErrors.phone)}
      {field('my-email', '邮箱', data?.emailMask, email, setEmail, act.fieldErrors.email)}
      <label htmlFor="my-contact-password">登录密码</label>
      <Input.Password
        id="my-contact-password"
        value={password}
        autoComplete="current-password"
        status={wrongPassword ? 'error' : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      {wrongPassword && <div className="tone-danger">{wrongPassword}</div>}
      {needsCode && (
        <div className="zg-below-16">
          <label htmlFor="my-contact-code">新手机号收到的验证码</label>
          <div className="zg-row">
            <Input
              id="my-contact-code"
              value={code}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              status={act.fieldErrors.code ? 'error' : undefined}
              onChange={(event) => setCode(event.target.value)}
            />
            <Button
              disabled={password === '' || waits > 0}
              loading={send.running}
              onClick={() => void send.run({ body: { phone: given.phone ?? '', password } }, { fieldsShown: true })}
            >
              {waits > 0 ? `${waits} 秒后可重发` : '获取验证码'}
            </Button>
          </div>
          {act.fieldErrors.code && <div className="tone-danger">{act.fieldErrors.code}</div>}
          <p className="zg-2">保存后新旧手机号都会收到提醒。</p>
        </div>
      )}
    </Modal>
  )
}
