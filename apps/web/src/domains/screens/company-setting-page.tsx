import { usePageQuery } from '#kit/page.tsx'
import { ScreenSettings } from './screen-settings.tsx'

/** What does our head-office wall show? */
export default function CompanySettingPage() {
  const corpCode = usePageQuery().get('corpCode')
  return <ScreenSettings whose={corpCode ? { corpCode } : {}} />
}
