import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { changeMyContact, changePassword, getMyContact } from '@zhugong/contract/identity/endpoints'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useMe } from '#kit/me.ts'
import { passwordRules } from './password-rules.ts'

/** 修改密码. Forced after the first login and after a reset: nothing else opens before. */
export function PasswordDialog({ forced, onClose }: { forced: boolean; onClose: () => void }) {
  const info = useMe((me) => me.info)
  const [oldPassword, setOld] = useState('')
  const [newPassword, setNew] = useState('')
  const [again, setAgain] = useState('')
  const act = useAct(changePassword, {
    success: '密码已修改',
    onDone: () => {
      const { info: now } = useMe.getState()
      if (now) useMe.setState({ info: { ...now, mustChangePassword: false } })
      onClose()
    },
  })
  const rules = passwordRules(newPassword, info?.account ?? '')
  const differs = again !== '' && again !== newPassword
  const ready = oldPassword !== '' && rules.every((rule) => rule.met) && again === newPassword
  const save = () => act.run({ body: { oldPassword, newPassword } }, { fieldsShown: true })
  const field = (id: string, label: string, value: string, set: (text: string) => void, complete: string, fault?: string) => (
    <div className="zg-below-12">
      <label htmlFor={id} style={{ fontSize: 14 }}>
        {label}
      </label>
      <Input.Password
        id={id}
        value={value}
        maxLength={128}
        autoComplete={complete}
        {...(fault ? { status: 'error' as const } : {})}
        onChange={(event) => set(event.target.value)}
        onPressEnter={() => ready && void save()}
      />
      {fault && <div className="tone-danger">{fault}</div>}
    </div>
  )
  return (
    <Modal
      open
      centered
      width={400}
      title={forced ? '请先修改密码' : '修改密码'}
      closable={!forced}
      mask={{ closable: false }}
      keyboard={!forced}
      onCancel={onClose}
      footer={
        <>
          {!forced && <Button onClick={onClose}>取消</Button>}
          <Button type="primary" disabled={!ready} loading={act.running} onClick={() => void save()}>
            保存
          </Button>
        </>
      }
    >
      {field('old-password', '原密码', oldPassword, setOld, 'current-password', act.fieldErrors.oldPassword)}
      {field('new-password', '新密码', newPassword, setNew, 'new-password', act.fieldErrors.newPassword)}
      <ul style={{ listStyle: 'none', marginBottom: 12, fontSize: 12 }} aria-live="polite">
        {rules.map((rule) => (
          <li key={rule.text} className={rule.met ? 'tone-fine' : 'zg-2'}>
            {rule.met ? <CheckCircleFilled /> : <MinusCircleOutlined />} {rule.text}
          </li>
        ))}
      </ul>
      {field('again-password', '再输一次新密码', again, setAgain, 'new-password', differs ? '两次输入不一致' : undefined)}
    </Modal>
  )
}

/** 接收方式. Numbers are never shown whole, not even to their owner over the shoulder: a new one replaces the old. */
export function ContactDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(getMyContact, undefined, { staleMs: 0 })
  const [phone, setPhone] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const act = useAct(changeMyContact, { success: '已保存', refreshes: [getMyContact], onDone: onClose })
  const field = (id: string, label: string, now: string | null | undefined, value: string, set: (text: string) => void, fault?: string) => (
    <div className="zg-below-16">
      <label htmlFor={id} style={{ fontSize: 14 }}>
        {label}
        <span className="zg-2"> {now ? `当前 ${now}` : '未登记'}</span>
      </label>
      <Input
        id={id}
        value={value}
        placeholder={now ? '不修改请留空' : `请输入${label}`}
        {...(fault ? { status: 'error' as const } : {})}
        onChange={(event) => set(event.target.value)}
      />
      {fault && <div className="tone-danger">{fault}</div>}
    </div>
  )
  const given = { ...(phone.trim() ? { phone: phone.trim() } : {}), ...(email.trim() ? { email: email.trim() } : {}) }
  return (
    <Modal
      open
      centered
      width={400}
      title="接收方式"
      mask={{ closable: false }}
      onCancel={onClose}
      okText="保存"
      okButtonProps={{ disabled: Object.keys(given).length === 0 || password === '', loading: act.running }}
      onOk={() => void act.run({ body: { ...given, password } }, { fieldsShown: true })}
    >
      <p className="zg-2">告警、到期提醒按规则发送到这里；站内消息始终可见。</p>
      {field('my-phone', '手机号', data?.phoneMask, phone, setPhone, act.fieldErrors.phone)}
      {field('my-email', '邮箱', data?.emailMask, email, setEmail, act.fieldErrors.email)}
      <label htmlFor="my-contact-password">登录密码</label>
      <Input.Password
        id="my-contact-password"
        value={password}
        autoComplete="current-password"
        {...(act.fieldErrors.password ? { status: 'error' as const } : {})}
        onChange={(event) => setPassword(event.target.value)}
      />
      {act.fieldErrors.password && <div className="tone-danger">{act.fieldErrors.password}</div>}
    </Modal>
  )
}
