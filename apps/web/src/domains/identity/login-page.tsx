import './identity.css'
import { PhoneOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { isNear, MaintenanceLine } from '#kit/maintenance.tsx'
import { useMe } from '#kit/me.ts'
import { brandOf } from './brand.ts'
import { Illustration } from './illustration.tsx'
import { LoginFields, noCredentials } from './login-fields.tsx'
import { useLogin } from './use-login.ts'

// Rarely needed, so the dialog is loaded lazily.
const ForgotPassword = lazy(() => import('./forgot-password.tsx'))

export default function LoginPage() {
  const state = useLogin('default', '/login')
  const settings = useMe((me) => me.settings)
  const [values, setValues] = useState(noCredentials)
  const [kind, setKind] = useState<'prj' | 'gov'>('prj')
  const [forgot, setForgot] = useState(false)
  const { heading, remark, identifier, tagline } = brandOf(settings)
  const planned = settings?.maintenance
  const isSoon = planned ? isNear(planned, Date.now()) : false
  const mayKeep = kind === 'prj' && (settings?.keepLiveAllowed ?? false)
  const apps = [
    { image: settings?.appQrcodePrj, name: '项目端 App' },
    { image: settings?.appQrcodeGov, name: '监管端 App' },
  ].filter((app) => app.image)
  return (
    <div className="id-page">
      <div className="id-brand">
        {settings?.backgroundImage ? <img className="own" src={settings.backgroundImage} alt="" /> : <Illustration />}
        <div className="name">
          <img src={settings?.logoImage || '/logo.svg'} alt="" height="48" />
          {identifier && (
            <div>
              <strong>{identifier}</strong>
              <span>{tagline}</span>
            </div>
          )}
        </div>
      </div>
      <main className="id-right">
        <div className="id-form">
          <h1>{heading}</h1>
          {remark && <p className={remark === tagline ? 'sub id-said' : 'sub'}>{remark}</p>}
          <MaintenanceLine className={isSoon ? undefined : 'zg-notice id-planned'} />
          <fieldset className="id-kind" aria-label="用户类别">
            {(['prj', 'gov'] as const).map((one) => (
              <button key={one} type="button" className="zg-bare" aria-pressed={kind === one} onClick={() => setKind(one)}>
                {one === 'prj' ? settings?.prjBtnName || '项目 / 企业登录' : settings?.govBtnName || '监管登录'}
              </button>
            ))}
          </fieldset>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void state.submit({ ...values, keep: mayKeep && values.keep })
            }}
          >
            <LoginFields state={state} values={values} onChange={setValues} />
            <Button
              type="primary"
              htmlType="submit"
              block
              className="go"
              loading={state.busy}
              disabled={!values.account.trim() || !values.password}
            >
              登录
            </Button>
            <div className="below">
              {mayKeep ? (
                <label htmlFor="keep" className="id-keep">
                  <input
                    id="keep"
                    type="checkbox"
                    checked={values.keep}
                    onChange={(event) => setValues({ ...values, keep: event.target.checked })}
                  />
                  在此电脑保持登录
                </label>
              ) : (
                <span />
              )}
              <button type="button" className="zg-bare zg-link" onClick={() => setForgot(!forgot)}>
                忘记密码
              </button>
            </div>
            {forgot && !settings?.forgotAllowed && <p className="zg-2">请联系本单位管理员重置，首次登录须修改</p>}
          </form>
          {forgot && settings?.forgotAllowed && (
            <Suspense>
              <ForgotPassword account={values.account} onClose={() => setForgot(false)} />
            </Suspense>
          )}
          {apps.length > 0 && (
            <div className="id-apps">
              {apps.map((app) => (
                <div key={app.name}>
                  <img src={app.image} alt={`${app.name}二维码`} />
                  <p>
                    {app.name}
                    <span>扫码下载</span>
                  </p>
                </div>
              ))}
            </div>
          )}
          {settings?.demoAccounts && settings.demoAccounts.length > 0 && (
            <section className="id-demo" aria-label="演示身份">
              <h2>演示身份，点一下填入</h2>
              <ul>
                {settings.demoAccounts.map((demo) => (
                  <li key={demo.account}>
                    <button
                      type="button"
                      className="zg-bare"
                      onClick={() => setValues({ ...values, account: demo.account, password: demo.password })}
                    >
                      <span className="zg-link">{demo.role}</span>
                      <small className="zg-2">{demo.groupName}</small>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <footer className="id-foot">
          {settings?.serviceHotline && (
            <span>
              <PhoneOutlined /> 服务热线 {settings.serviceHotline}
            </span>
          )}
          {settings?.helpDoc && (
            <a href={settings.helpDoc} target="_blank" rel="noreferrer">
              帮助文档
            </a>
          )}
          {settings?.footers.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </footer>
      </main>
    </div>
  )
}
