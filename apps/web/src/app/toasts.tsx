import { CheckCircleFilled, CloseCircleFilled, InfoCircleFilled, WarningFilled } from '@ant-design/icons'
import { dropToast, useToasts } from '#kit/notify.ts'

const icons = {
  success: <CheckCircleFilled className="tone-fine" />,
  error: <CloseCircleFilled className="tone-danger" />,
  warning: <WarningFilled className="tone-warning" />,
  info: <InfoCircleFilled style={{ color: 'var(--primary)' }} />,
}

export function Toasts() {
  const { toasts } = useToasts()
  return (
    <div className="app-toasts" aria-live="polite">
      {toasts.map(({ id, tone, text }) => (
        <button key={id} type="button" className="zg-bare toast" title="关闭" onClick={() => dropToast(id)}>
          {icons[tone]}
          <span role={tone === 'error' ? 'alert' : 'status'}>{text}</span>
        </button>
      ))}
    </div>
  )
}
