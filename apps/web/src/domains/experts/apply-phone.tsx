import { applyExpert } from '@zhugong/contract/experts/apply'
import { captcha as captchaCall } from '@zhugong/contract/identity/endpoints'
import { Button, Input } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { CodeField, faultsOf, OpenField, useSending } from '#domains/personnel/public.tsx'
import { call } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import type { Answer } from './apply-session.ts'

/** Proves the phone: picture, code by SMS, ticket. */
export function PhoneStep({ onOpened, onBack }: { onOpened: (ticket: string, answer: Answer) => void; onBack: () => void }) {
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [captcha, setCaptcha] = useState('')
  const [picture, setPicture] = useState<{ captchaKey: string; image: string }>()
  const { faults, setFaults, busy, send } = useSending()
  const draw = useCallback(() => {
    setCaptcha('')
    call(captchaCall)
      .then(setPicture)
      .catch(() => setPicture(undefined))
  }, [])
  useEffect(draw, [draw])
  const askCode = async () => {
    const body = { step: 'code' as const, phone, captchaKey: picture?.captchaKey ?? '', captcha }
    const found = faultsOf(applyExpert.schemas.body, body)
    setFaults(found)
    if (Object.keys(found).length > 0) return false
    const sent = await send(() => call(applyExpert, { body }))
    // A picture holds for one try.
    draw()
    return sent !== undefined
  }
  const verify = async () => {
    const body = { step: 'verify' as const, phone, code }
    const found = faultsOf(applyExpert.schemas.body, body)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const answer = await send(() => call(applyExpert, { body }))
    if (answer?.ticket) onOpened(answer.ticket, answer)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void verify()
      }}
    >
      <OpenField label="本人手机" id="apply-phone" fault={faults.phone}>
        <Input
          id="apply-phone"
          inputMode="numeric"
          maxLength={11}
          autoComplete="tel-national"
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
      </OpenField>
      <OpenField label="图形验证码" id="apply-captcha" fault={faults.captcha}>
        <div className="zg-row zg-gap-8">
          <Input id="apply-captcha" maxLength={8} autoComplete="off" value={captcha} onChange={(event) => setCaptcha(event.target.value)} />
          <button type="button" className="zg-bare expert-captcha" onClick={draw} aria-label="换一张图形验证码">
            {picture && <img src={picture.image} alt="图形验证码" width={120} height={40} />}
          </button>
        </div>
      </OpenField>
      <CodeField value={code} fault={faults.code} onChange={setCode} ask={askCode} />
      {faults[''] && <Notice tone="danger">{faults['']}</Notice>}
      <div className="bar">
        <Button size="large" onClick={onBack}>
          上一步
        </Button>
        <Button type="primary" htmlType="submit" size="large" loading={busy}>
          下一步
        </Button>
      </div>
    </form>
  )
}
