import { mount } from 'svelte';
import App from './App.svelte';
import { register, screenAt } from './app/router.svelte';
import { screens } from './app/screens';
import './ui/tokens.css';
import './ui/base.css';

register(screens);
void screenAt(location.pathname)?.screen.load().catch(() => undefined); // comes while the frame is built, which tells a failure

const target = document.getElementById('app');
if (target) mount(App, { target });
